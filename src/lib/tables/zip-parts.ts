/**
 * The parts of a zip file on disk, one by one as streams: checked against their checksum, and refused where they are encrypted, too many, or
 * expand to too much. What the parts say is not here.
 */
import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { ZipError } from './zip-error.ts';

/** Limits on zip files. */
export interface ZipLimits {
  /** Most bytes of all parts that are read, after expansion. */
  readonly maxBytes: number;
  /** Most times the file's size that its parts may expand to. */
  readonly maxExpansion: number;
  readonly maxParts: number;
}

/** An open zip file. */
export interface ZipParts {
  has(name: string): boolean;
  /** The bytes of a part; throws a ZipError while it is read. `has` must have said that it is there. */
  read(name: string): AsyncGenerator<Buffer>;
}

/** Longest name of a part that is looked at: those we want are far shorter. */
const maxNameLength = 200;

/** Opens the zip file behind a descriptor, which stays the caller's to close. Throws a ZipError for what is no zip file. */
export async function openZip(fd: number, size: number, limits: ZipLimits): Promise<ZipParts> {
  const entries = new Map<string, Entry>();
  let zip: ZipFile;
  try {
    zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false });
    // Those that matter are thrown by what was called.
    zip.on('error', () => undefined);
    if (zip.entryCount > limits.maxParts) {
      throw tooMany(limits);
    }
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= limits.maxParts) {
        throw tooMany(limits);
      }
      if (entry.fileName.length <= maxNameLength) {
        if (entries.has(entry.fileName)) {
          throw new ZipError('damaged', `the zip holds ${JSON.stringify(entry.fileName)} twice`);
        }
        entries.set(entry.fileName, entry);
      }
    }
  } catch (error) {
    throw asZipError(error);
  }
  const total = { bytes: 0 };
  return {
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) {
        throw new ZipError('damaged', `the zip does not hold ${JSON.stringify(name)}`);
      }
      return readPart(zip, entry, { limits, size, total });
    },
  };
}

async function* readPart(
  zip: ZipFile,
  entry: Entry,
  { limits, size, total }: { limits: ZipLimits; size: number; total: { bytes: number } },
): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) {
    throw new ZipError('encrypted', 'the file is protected with a password');
  }
  let sum = 0;
  try {
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      total.bytes += piece.length;
      if (total.bytes > limits.maxBytes) {
        throw new ZipError('size', `the file expands to more than ${limits.maxBytes} bytes`);
      }
      if (total.bytes > limits.maxExpansion * size) {
        throw new ZipError('expands', `the file expands to more than ${limits.maxExpansion} times its size`);
      }
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw asZipError(error);
  }
  if (sum !== entry.crc32) {
    throw new ZipError('damaged', 'the file is damaged: a checksum is wrong');
  }
}

function tooMany(limits: ZipLimits): ZipError {
  return new ZipError('parts', `the zip holds more than ${limits.maxParts} parts`);
}

/** Blames the file for errors of the zip reader; what whoever reads a part throws passes a generator by. */
function asZipError(error: unknown): unknown {
  return error instanceof ZipError ? error : new ZipError('damaged', 'the file is damaged or cut off', error);
}
