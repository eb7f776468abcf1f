/**
 * Rows in a spool with the group each is of, so that those of some groups can be read back without looking at the others.
 */
import type { Spool } from './spool.ts';

/** One row as it was put there. */
export interface SpooledRow {
  readonly line: number;
  /** True if nothing in it needs to be escaped. */
  readonly isPlain: boolean;
  readonly text: string;
}

/** Rows on their way into a spool. */
export interface RowSpool {
  add(group: number, line: number, isPlain: boolean, text: string): void;
  /** Writes what was added; to be called now and then, and at the end. */
  flush(): Promise<void>;
}

/** Length of the text in bytes, line, group, whether it is plain. */
const headBytes = 4 + 4 + 4 + 1;

/** Puts rows at the end of a spool. */
export function createRowSpool(spool: Spool): RowSpool {
  let buffer = Buffer.allocUnsafe(128 * 1024);
  let end = 0;
  return {
    add(group, line, isPlain, text) {
      // No character takes more than three bytes for each of its units.
      const needed = end + headBytes + text.length * 3;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * needed);
        buffer.copy(larger, 0, 0, end);
        buffer = larger;
      }
      const length = buffer.write(text, end + headBytes, 'utf8');
      buffer.writeUInt32LE(length, end);
      buffer.writeUInt32LE(line, end + 4);
      buffer.writeUInt32LE(group, end + 8);
      buffer[end + 12] = isPlain ? 1 : 0;
      end += headBytes + length;
    },
    async flush() {
      await spool.append(buffer.subarray(0, end));
      end = 0;
    },
  };
}

/** A number as writeUInt32LE writes it; below 2^31 alone, and much quicker than readUInt32LE. */
function readNumber(bytes: Buffer, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

/** The rows of a spool whose groups are wanted, some at a time. */
export async function* readRows(spool: Spool, isWanted: (group: number) => boolean): AsyncGenerator<SpooledRow[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of spool.read()) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const rows: SpooledRow[] = [];
    let at = 0;
    while (at + headBytes <= bytes.length) {
      const end = at + headBytes + readNumber(bytes, at);
      if (end > bytes.length) {
        break;
      }
      if (isWanted(readNumber(bytes, at + 8))) {
        rows.push({ line: bytes.readUInt32LE(at + 4), isPlain: bytes[at + 12] === 1, text: bytes.toString('utf8', at + headBytes, end) });
      }
      at = end;
    }
    rest = bytes.subarray(at);
    if (rows.length > 0) {
      yield rows;
    }
  }
}
