/** What is said of many rows is said once, with how often, the first lines, and what helps. */
import { describe, expect, it } from 'vitest';
import { createNoteList, refuseRows } from './notes.ts';

const refuse = (reasonOf: (line: number) => string, count: number, column = 'email'): string => {
  const notes = createNoteList();
  for (let line = 2; line < count + 2; line++) {
    notes.add({ line, column, reason: reasonOf(line) });
  }
  return refuseRows(notes.list()).message;
};

describe('refuseRows', () => {
  it('says once what is wrong with all rows', () => {
    expect(refuse(() => 'must not be empty', 500)).toBe(
      'Nothing was imported: the file has 500 row errors. The first 100 are listed. All of them say the same (lines 2, 3, 4, 5, 6, ...): email: must not be empty; if another column of the file says it, pass map=email=COLUMN.',
    );
  });

  it('says how many rows say what most of them do', () => {
    expect(refuse((line) => (line % 2 === 0 ? 'is too long' : `${line} is no address`), 40, 'Mail')).toBe(
      'Nothing was imported: the file has 40 row errors. 20 of them say the same (lines 2, 4, 6, 8, 10, ...): Mail: is too long.',
    );
  });

  it('says nothing of it where they are few, or where not all were counted', () => {
    expect(refuse(() => 'must not be empty', 9)).toBe('Nothing was imported: the file has 9 row errors.');
    const notes = createNoteList();
    notes.addMany({ count: 500, notes: [{ line: 2, column: 'email', reason: 'is another' }] });
    expect(refuseRows(notes.list()).message).toBe('Nothing was imported: the file has 500 row errors. The first 1 are listed.');
  });
});
