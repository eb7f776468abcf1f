/**
 * Sink of rows that were made ready: into a spool as COPY text at once, or as they are in their groups, of which the few that are needed are turned
 * into COPY text later.
 */
import { getNameKey } from '../../../lib/names/same-name.ts';
import type { Columns, RowFormat, RowGroups } from '../columns/index.ts';
import type { Complain, NoteList } from '../values/index.ts';
import { createRowSpool, readRows } from './row-spool.ts';
import type { Spool } from './spool.ts';

/** Takes one row after the other to the spool. */
export interface RowSink<Name extends string> {
  /** `isWrong`: something is wrong with the row already; what else is, is noted. */
  take(row: string[], line: number, isPlain: boolean, columns: Columns<Name>, isWrong: boolean): void;
  /** Writes what was taken. */
  flush(): Promise<void>;
}

/** Turns rows into lines of COPY text; undefined where something is wrong with one, which was noted. */
function createConverter<Name extends string>(
  format: RowFormat<Name>,
  columns: Columns<Name>,
  errors: NoteList,
): (row: string[], line: number, isPlain: boolean) => string | undefined {
  const convert = format.prepare(columns);
  let line = 0;
  let isWrong = false;
  const complain: Complain = (column, reason) => {
    isWrong = true;
    errors.add({ line, column, reason });
  };
  return (row, at, isPlain) => {
    line = at;
    isWrong = false;
    const text = convert(row, line, complain, isPlain);
    return isWrong ? undefined : text;
  };
}

/** Converts rows at once: all of them are needed. */
export function createTextSink<Name extends string>(format: RowFormat<Name>, spool: Spool, errors: NoteList): RowSink<Name> {
  let convertFor: Columns<Name> | undefined;
  let convert: ReturnType<typeof createConverter> | undefined;
  let out: string[] = [];
  return {
    take(row, line, isPlain, columns, isWrong) {
      if (convert === undefined || convertFor !== columns) {
        convertFor = columns;
        convert = createConverter(format, columns, errors);
      }
      const text = convert(row, line, isPlain);
      if (text !== undefined && !isWrong) {
        out.push(text);
      }
    },
    async flush() {
      if (out.length > 0) {
        out.push('');
        await spool.append(out.join('\n'));
        out = [];
      }
    },
  };
}

const separator = '\0';

/** Keeps rows as they are, in their groups; the few that are needed are converted later. */
export function createGroupSink<Name extends string>(
  format: RowFormat<Name>,
  spool: Spool,
  errors: NoteList,
  groups: RowGroups,
): RowSink<Name> {
  const { flush, add } = createRowSpool(spool);
  return {
    take(row, line, isPlain, columns) {
      if (!isPlain && row.some((field) => field.includes(separator))) {
        errors.add({ line, column: '', reason: 'holds the character U+0000' });
        return;
      }
      const text = row.join(separator);
      const group = groups.groupOf(getNameKey(row[columns.at[format.key]] ?? ''));
      groups.add(group, text);
      add(group, line, isPlain, text);
    },
    flush,
  };
}

/** The rows of a spool that are in groups that are wanted, as COPY text. */
export async function* convertRows<Name extends string>(
  format: RowFormat<Name>,
  columns: Columns<Name>,
  spool: Spool,
  errors: NoteList,
  isWanted: (group: number) => boolean,
): AsyncGenerator<string> {
  const convert = createConverter(format, columns, errors);
  for await (const rows of readRows(spool, isWanted)) {
    const out: string[] = [];
    for (const { line, isPlain, text } of rows) {
      const converted = convert(text.split(separator), line, isPlain);
      if (converted !== undefined) {
        out.push(converted);
      }
    }
    out.push('');
    yield out.join('\n');
  }
}
