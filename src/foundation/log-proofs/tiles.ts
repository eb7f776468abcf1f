/** A published log as others read it (C2SP tlog-tiles): its checkpoint, and tiles of 256 hashes, for monitors and witnesses without a token. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { listTreeHashes } from '../audit/index.ts';
import { findHead, listShownEntries } from './tree/index.ts';
import { findPublishes } from './store.ts';

/** The answer to a path. */
export interface Tile {
  readonly contentType: string;
  readonly body: Buffer;
  /** True if it never changes. */
  readonly isFinal: boolean;
}

const tileWidth = 256;

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such part of the log, or the log is not published.');
}

/**
 * Answers a path below /log/: `checkpoint`, `tile/LEVEL/N[.p/W]`, `tile/entries/N[.p/W]`. NOT_FOUND where the tenant does not publish its log,
 * and for what is not in the tree.
 */
export async function openTile(context: Context, path: string): Promise<Tile> {
  if (!(await findPublishes(context))) {
    throw notFound();
  }
  const { epoch, checkpoint } = await findHead(context, 0, undefined);
  if (path === 'checkpoint') {
    return { contentType: 'text/plain; charset=utf-8', body: Buffer.from(checkpoint.note), isFinal: false };
  }
  const [, kind = '', place = '', partial] = /^tile\/([0-5]|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? [];
  const width = partial === undefined ? tileWidth : Number(partial);
  const level = kind === 'entries' ? 0 : Number(kind);
  const first = Number(place.replaceAll(/[x/]/g, '')) * tileWidth;
  const isThere = kind !== '' && width <= tileWidth && (first + width) * tileWidth ** level <= checkpoint.size;
  if (!isThere) {
    throw notFound();
  }
  const body =
    kind === 'entries' ? await readEntries(context, epoch.base + first, width) : await readHashes(context, epoch, level, first, width);
  return { contentType: 'application/octet-stream', body, isFinal: partial === undefined };
}

async function readHashes(
  context: Context,
  tree: { readonly epoch: number; readonly base: number },
  level: number,
  first: number,
  count: number,
): Promise<Buffer> {
  const hashes = (await listTreeHashes(context, tree, [{ level, first, count }])).toSorted((one, other) => one.index - other.index);
  if (hashes.length !== count) {
    throw notFound();
  }
  return Buffer.concat(hashes.map(({ hash }) => hash));
}

/** Leaves, each behind its length in two bytes. */
async function readEntries(context: Context, from: number, count: number): Promise<Buffer> {
  const entries = await listShownEntries(context, '', from, count);
  if (entries.length !== count || entries.some(({ leaf }) => leaf === '')) {
    throw notFound();
  }
  return Buffer.concat(
    entries.flatMap(({ leaf }) => {
      const text = Buffer.from(leaf);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(text.length);
      return [length, text];
    }),
  );
}
