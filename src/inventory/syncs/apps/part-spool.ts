/**
 * Rows of several apps in one temporary file, so that those of one app can be read back without looking at the others. Memory holds a few megabytes
 * whatever the size of the file.
 */
import { type Faults, type RowBatch, openSpool } from '../rows/index.ts';
import { fileLimits } from '../values/index.ts';

/** So many characters wait in memory, of all parts together. */
const maxPending = 4 * 1024 * 1024;

/** A place in the file. */
interface Segment {
  readonly at: number;
  readonly length: number;
}

/** Rows on their way to their parts, and back. */
export interface PartSpool {
  add(part: number, row: readonly string[], line: number, faults: Faults | undefined): void;
  /** Writes what was added once there is much of it, or all of it. */
  flush(isEnd?: boolean): Promise<void>;
  /** Reads the rows of a part in the order they were added; to be called after the last flush. */
  read(part: number): AsyncGenerator<RowBatch>;
  /** Gives up the temporary file; to be called whatever happens. */
  close(): Promise<void>;
}

/** Opens an empty spool. UNAVAILABLE if the disk is full. */
export async function openPartSpool(): Promise<PartSpool> {
  const spool = await openSpool();
  const waiting = new Map<number, string[]>();
  const segments = new Map<number, Segment[]>();
  let pending = 0;
  return {
    add(part, row, line, faults) {
      const text = `${JSON.stringify(faults === undefined ? [line, ...row] : [{ line, faults }, ...row])}\n`;
      const rows = waiting.get(part);
      if (rows === undefined) {
        waiting.set(part, [text]);
      } else {
        rows.push(text);
      }
      pending += text.length;
    },
    async flush(isEnd = false) {
      if (!isEnd && pending < maxPending) {
        return;
      }
      for (const [part, rows] of waiting) {
        const bytes = Buffer.from(rows.join(''), 'utf8');
        const segment = { at: spool.size(), length: bytes.length };
        await spool.append(bytes);
        const known = segments.get(part);
        if (known === undefined) {
          segments.set(part, [segment]);
        } else {
          known.push(segment);
        }
      }
      waiting.clear();
      pending = 0;
    },
    async *read(part) {
      for (const { at, length } of segments.get(part) ?? []) {
        yield* batchesIn((await spool.readPart(at, length)).toString('utf8'));
      }
    },
    close: spool.close,
  };
}

/** Returns the rows of a segment in batches of the usual size. */
function* batchesIn(text: string): Generator<RowBatch> {
  for (let begin = 0; begin < text.length; ) {
    // A line feed within a cell is escaped, so that each one ends a row.
    const end = text.indexOf('\n', Math.min(begin + fileLimits.batchBytes, text.length - 1)) + 1;
    const rows: string[][] = [];
    const lines: number[] = [];
    const found: Faults[number][] = [];
    for (const written of text.slice(begin, end - 1).split('\n')) {
      const [head, ...row] = JSON.parse(written) as [number | { readonly line: number; readonly faults: Faults }, ...string[]];
      if (typeof head === 'object') {
        found.push(...head.faults.map((fault) => ({ ...fault, index: rows.length })));
      }
      lines.push(typeof head === 'object' ? head.line : head);
      rows.push(row);
    }
    const [doubts, faults] = [true, false].map((isOfIds) => found.filter((fault) => (fault.isOfIds ?? false) === isOfIds));
    yield { rows, lines, faults: faults ?? [], doubts: doubts ?? [], isPlain: false };
    begin = end;
  }
}
