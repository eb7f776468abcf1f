/** The whole log as lines, for whoever keeps it when the database goes: each event with its leaf and the content that the leaf commits to. */
import type { Context } from '../../context.ts';
import { type EntryRow, listEntries, listEpochs } from '../audit/index.ts';
import { writeEventLine } from './event-line.ts';
import { findCheckpoint, showEntry, signHead } from './tree/index.ts';

const maxAtOnce = 1_000;

/** Reads the log from its first position on: `{content, leaf, position, salt}`, with null for content that was erased, and leaves that hold no more. */
export async function* readLogLines(context: Context): AsyncGenerator<string> {
  for (let from = 0; ; ) {
    const rows = await listEntries(context, from, maxAtOnce);
    const last = rows.at(-1);
    if (last === undefined) {
      return;
    }
    for (const row of rows) {
      yield writeEventLine(row, (await showEntry(context, row)).leaf, writeContent);
    }
    from = last.position + 1;
  }
}

/** The data as the database writes it: what was committed to is its canonical form. */
const writeContent = ({ data, sourceIp }: EntryRow): string => `{"data":${data},"ip":${JSON.stringify(sourceIp)}}`;

/** The last checkpoint of each epoch of the log, as a note; the open one is signed as it stands. */
export async function listLastNotes(context: Context): Promise<{ readonly epoch: number; readonly note: string }[]> {
  const notes: { epoch: number; note: string }[] = [];
  for (const epoch of await listEpochs(context)) {
    const last = epoch.state === 'OPEN' ? await signHead(context, epoch) : await findCheckpoint(context, epoch.epoch);
    if (last !== undefined) {
      notes.push({ epoch: epoch.epoch, note: last.note });
    }
  }
  return notes;
}
