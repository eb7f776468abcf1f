/**
 * Contents of a fetch while it is read: each waits in a temporary file, from which it is imported, and where the guard holds it, kept in the database.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { FetchedTable } from '../../lib/tables/fetched-table.ts';
import type { TextEncoding } from '../../lib/tables/text-encoding.ts';
import { type OpenRows, openFetched, openRows, openSpool, type Spool } from '../syncs/index.ts';
import type { FetchedFile } from './fetchers/index.ts';
import type { HeldContent } from './store.ts';
import { insertPiece, readPieces } from './store-rows.ts';

/** Limits of one fetch. */
const limits = { maxBytes: 20 * 1024 ** 3, maxRows: 20_000_000, maxBatch: 5_000 } as const;
const pieceBytes = 1024 * 1024;

/** A content that is here. */
export interface SpooledContent {
  readonly about: HeldContent;
  readonly spool: Spool;
}

/** Reads a content to its end. FAILED_PRECONDITION over the limits. The caller closes the spool; after an error there is none. */
export async function spoolContent(content: FetchedFile | FetchedTable, signal: AbortSignal): Promise<SpooledContent> {
  const spool = await openSpool();
  try {
    const about = 'pieces' in content ? await spoolFile(content, spool, signal) : await spoolTable(content, spool, signal);
    return { about, spool };
  } catch (error) {
    await spool.close();
    throw error;
  }
}

function refuseSize(spool: Spool): void {
  if (spool.size() > limits.maxBytes) {
    throw new AppError('FAILED_PRECONDITION', 'The source holds more than 20 GiB. Fetch less of it.');
  }
}

async function spoolFile({ kind, sheet, encoding, pieces }: FetchedFile, spool: Spool, signal: AbortSignal): Promise<HeldContent> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    await spool.append(piece);
    refuseSize(spool);
  }
  return { kind, format: 'FILE', sheet, encoding, columns: [] };
}

async function spoolTable({ kind, columns, batches }: FetchedTable, spool: Spool, signal: AbortSignal): Promise<HeldContent> {
  let count = 0;
  for await (const batch of batches) {
    signal.throwIfAborted();
    count += batch.length;
    if (count > limits.maxRows) {
      throw new AppError('FAILED_PRECONDITION', 'The source holds more than 20,000,000 rows. Fetch less of it.');
    }
    await spool.append(`${JSON.stringify(batch)}\n`);
    refuseSize(spool);
  }
  return { kind, format: 'ROWS', sheet: '', encoding: '', columns };
}

/** Opens a content to be imported, as often as it has to be. */
export async function openContent({ about, spool }: SpooledContent, encoding: string | undefined): Promise<OpenRows> {
  if (about.format === 'FILE') {
    return openRows({ body: Readable.from(spool.read()), encoding: about.encoding }, about.sheet, encoding as TextEncoding | undefined);
  }
  return openFetched({ kind: about.kind, columns: about.columns, batches: readBatches(spool.read()) });
}

/** A batch a line. */
async function* readBatches(pieces: AsyncIterable<Buffer>): AsyncGenerator<string[][]> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield JSON.parse(Buffer.concat([...rest, piece.subarray(from, end)]).toString('utf8')) as string[][];
      rest = [];
      from = end + 1;
    }
    rest.push(Buffer.from(piece.subarray(from)));
  }
}

/** Keeps a content with its fetch, compressed; inside the transaction that holds the fetch. */
export async function keepContent(context: Context, fetchId: string, number: number, { spool }: SpooledContent): Promise<void> {
  let piece = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size > 0) {
      await insertPiece(context, { fetchId, content: number, piece: piece++, bytes: Buffer.concat(waiting) });
      waiting = [];
      size = 0;
    }
  };
  await pipeline(Readable.from(spool.read()), createZstdCompress(), async (compressed: AsyncIterable<Buffer>) => {
    for await (const bytes of compressed) {
      waiting.push(bytes);
      size += bytes.length;
      if (size >= pieceBytes) {
        await flush();
      }
    }
  });
  await flush();
}

/** Takes a kept content back into a temporary file. */
export async function restoreContent(context: Context, fetchId: string, number: number, about: HeldContent): Promise<SpooledContent> {
  const spool = await openSpool();
  try {
    const kept = Readable.from(readPieces(context, fetchId, number));
    await pipeline(kept, createZstdDecompress(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const bytes of pieces) {
        await spool.append(bytes);
        refuseSize(spool);
      }
    });
    return { about, spool };
  } catch (error) {
    await spool.close();
    throw error;
  }
}
