/**
 * The bytes of an uploaded text: expanded where they are gzip, hashed, and refused where they are too many or never end. Nothing here
 * knows what the text says.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';

/** Reason the bytes were refused. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly reason: 'encoding' | 'gzip' | 'expands' | 'size' | 'aborted' | 'stalled';

  constructor(reason: SourceError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** Limits on input. */
export interface SourceLimits {
  /** Most bytes after expansion. */
  readonly maxBytes: number;
  /** Most times its size that a gzip may expand to. */
  readonly maxExpansion: number;
  /** Longest time without a byte. */
  readonly stallMs: number;
}

/** The expanded bytes, to be read once, and the hash of what was read. */
export interface Source {
  readonly pieces: AsyncIterable<Buffer>;
  /** SHA-256 of the expanded text in hex, so that a file has the same hash compressed or not; '' before it was read to its end. */
  sha256(): string;
}

/** Less than this is never called a bomb half-way: how well the beginning of a file compresses says nothing about the whole. */
const expansionGrace = 64 * 1024 * 1024;

/**
 * Opens an upload. `encoding` is its Content-Encoding ('' where there is none); without one, gzip is known by its first bytes. Reading
 * throws a SourceError.
 */
export function openSource(body: Readable, encoding: string, limits: SourceLimits): Source {
  if (encoding !== '' && encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new SourceError('encoding', `the content encoding ${JSON.stringify(encoding.slice(0, 40))} is not known here; gzip is`);
  }
  const hash = createHash('sha256');
  let isRead = false;
  async function* pieces(): AsyncGenerator<Buffer> {
    let total = 0;
    for await (const piece of expand(receive(body, limits.stallMs), encoding.endsWith('gzip'), limits)) {
      total += piece.length;
      if (total > limits.maxBytes) {
        throw new SourceError('size', `the text is longer than ${limits.maxBytes} bytes`);
      }
      hash.update(piece);
      yield piece;
    }
    isRead = true;
  }
  return { pieces: pieces(), sha256: () => (isRead ? hash.copy().digest('hex') : '') };
}

/** The body as it comes; a client that goes away or falls silent ends it with an error instead of never. */
async function* receive(body: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const stall = new SourceError('stalled', `nothing came for ${stallMs / 1000} seconds`);
  const timer = setTimeout(() => body.destroy(stall), stallMs);
  timer.unref();
  try {
    // A body that is given up half-way is left open: its client must still hear why.
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      yield Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
      timer.refresh();
    }
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError('aborted', 'the upload was cut off', error);
  } finally {
    clearTimeout(timer);
    // A client that is still sending hears of a refusal only if the rest is read, to be thrown away. Later, because the stream must first forget who
    // read it until now.
    setImmediate(() => body.resume());
  }
}

async function* expand(pieces: AsyncGenerator<Buffer>, isGzip: boolean, limits: SourceLimits): AsyncGenerator<Buffer> {
  // The first two bytes may come one by one.
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await pieces.next();
    if (next.done) {
      break;
    }
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  const all = chain(head, pieces);
  if (isGzip || (head[0] === 0x1f && head[1] === 0x8b)) {
    yield* gunzip(all, limits);
  } else {
    yield* all;
  }
}

async function* chain(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) {
      yield head;
    }
    yield* rest;
  } finally {
    // Whoever stops at the first piece must end the rest, too, or the body waits for ever.
    await rest.return(undefined);
  }
}

async function* gunzip(pieces: AsyncGenerator<Buffer>, limits: SourceLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 128 * 1024 });
  let failure: unknown;
  let fedBytes = 0;
  const feeding = feed(pieces, gunzip, (count) => {
    fedBytes += count;
  }).catch((error: unknown) => {
    failure = error;
    gunzip.destroy(error instanceof Error ? error : undefined);
  });
  let total = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      total += piece.length;
      // What has been fed is at least what this output came from, so this never refuses too early.
      if (total > expansionGrace && total > limits.maxExpansion * fedBytes) {
        throw bomb(limits);
      }
      yield piece;
    }
    await feeding;
  } catch (error) {
    throw failure ?? (error instanceof SourceError ? error : new SourceError('gzip', 'the gzip is damaged or cut off', error));
  } finally {
    gunzip.destroy();
  }
  if (total > limits.maxExpansion * fedBytes) {
    throw bomb(limits);
  }
}

function bomb(limits: SourceLimits): SourceError {
  return new SourceError('expands', `the gzip expands to more than ${limits.maxExpansion} times its size`);
}

async function feed(pieces: AsyncGenerator<Buffer>, gunzip: Gunzip, onFed: (bytes: number) => void): Promise<void> {
  for await (const piece of pieces) {
    if (gunzip.destroyed) {
      return;
    }
    onFed(piece.length);
    if (!gunzip.write(piece)) {
      await new Promise<void>((resolve) => {
        const done = () => {
          gunzip.off('drain', done);
          gunzip.off('close', done);
          resolve();
        };
        gunzip.on('drain', done);
        gunzip.on('close', done);
      });
    }
  }
  gunzip.end();
}
