/** The line of an event, in bundles and in the export of a whole log: the leaf, its position, and the content that the leaf commits to. */
import type { EntryRow } from '../audit/index.ts';

/** Returns `{content, leaf, position, salt}`: null stands for content and salt once they are erased, and for a leaf that is empty. */
export function writeEventLine(row: EntryRow, leaf: string, writeContent: (row: EntryRow) => string): string {
  const isErased = row.contentHash !== null || row.salt === null;
  const content = isErased ? 'null' : writeContent(row);
  const salt = isErased ? 'null' : `"${row.salt.toString('hex')}"`;
  return `{"content":${content},"leaf":${leaf === '' ? 'null' : leaf},"position":${row.position},"salt":${salt}}`;
}
