/**
 * The shared texts of an Excel file: written to a scratch file on disk once, and read from there by number, so that a file with millions of
 * them takes little memory.
 */
import { readSync } from 'node:fs';
import { readXml } from './xml-pieces.ts';
import { unescapeText } from './xlsx-cell.ts';
import { XlsxError } from './xlsx-error.ts';

/** A file of its own that grows at its end. */
export interface ScratchFile {
  readonly fd: number;
  append(bytes: Buffer): Promise<void>;
}

/** The texts by number. */
export interface SharedTexts {
  readonly count: number;
  /** The text of a number; undefined where there is none. */
  get(index: number): string | undefined;
}

/** Limits on texts. */
export interface TextLimits {
  readonly maxTexts: number;
  /** Longest text in bytes. */
  readonly maxTextBytes: number;
}

const blockBytes = 64 * 1024;
/** 8 MiB. Excel numbers texts in the order of the sheet, so most are in a block just read. */
const maxBlocks = 128;
const flushBytes = 256 * 1024;

/** Empty shared texts. */
export const noTexts: SharedTexts = { count: 0, get: () => undefined };

/** Reads the part with the shared texts to its end. */
export async function readSharedTexts(pieces: AsyncIterable<Buffer>, scratch: ScratchFile, limits: TextLimits): Promise<SharedTexts> {
  /** Start of each text: 8 bytes a text is all that stays in memory. */
  let starts = new Float64Array(1024);
  let count = 0;
  let size = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let text: string | undefined;
  let isText = false;
  let phonetic = 0;

  const listener = {
    open(name: string) {
      if (name === 'si') {
        text = '';
      } else if (name === 'rPh') {
        phonetic++;
      }
      isText = name === 't' && phonetic === 0 && text !== undefined;
    },
    text(piece: string) {
      if (isText) {
        text += piece;
        if ((text as string).length > limits.maxTextBytes) {
          throw new XlsxError(`a cell holds a text of more than ${limits.maxTextBytes} bytes`);
        }
      }
    },
    close(name: string) {
      isText = false;
      if (name === 'rPh') {
        phonetic--;
      } else if (name === 'si') {
        const bytes = Buffer.from(unescapeText(text ?? ''), 'utf8');
        text = undefined;
        if (count >= limits.maxTexts) {
          throw new XlsxError(`the file holds more than ${limits.maxTexts} different texts; save it as CSV`);
        }
        if (count + 1 >= starts.length) {
          const longer = new Float64Array(starts.length * 2);
          longer.set(starts);
          starts = longer;
        }
        starts[count++] = size;
        size += bytes.length;
        starts[count] = size;
        pending.push(bytes);
        pendingBytes += bytes.length;
      }
    },
  };
  const flush = async () => {
    await scratch.append(Buffer.concat(pending, pendingBytes));
    pending = [];
    pendingBytes = 0;
  };
  for await (const _ of readXml(pieces, listener)) {
    if (pendingBytes >= flushBytes) {
      await flush();
    }
  }
  await flush();

  const read = createBlockReader(scratch.fd, size);
  return {
    count,
    get: (index) => (index >= 0 && index < count ? read(starts[index] as number, starts[index + 1] as number) : undefined),
  };
}

/** Reads texts through the blocks that were used last. */
function createBlockReader(fd: number, size: number): (start: number, end: number) => string {
  const blocks = new Map<number, Buffer>();
  const blockOf = (number: number): Buffer => {
    let block = blocks.get(number);
    if (block === undefined) {
      block = readAt(fd, number * blockBytes, Math.min(blockBytes, size - number * blockBytes));
    } else {
      blocks.delete(number);
    }
    // Last in the map is last used.
    blocks.set(number, block);
    if (blocks.size > maxBlocks) {
      blocks.delete(blocks.keys().next().value as number);
    }
    return block;
  };
  return (start, end) => {
    const number = Math.floor(start / blockBytes);
    const from = start - number * blockBytes;
    const length = end - start;
    if (length === 0) {
      return '';
    }
    return from + length <= blockBytes ? blockOf(number).toString('utf8', from, from + length) : readAt(fd, start, length).toString('utf8');
  };
}

/** In one go and at once: what was written a moment ago is in the memory of the system, and a promise for each text would cost more than it. */
function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(fd, bytes, done, length - done, position + done);
    if (count === 0) {
      throw new Error('a scratch file is shorter than what was written');
    }
    done += count;
  }
  return bytes;
}
