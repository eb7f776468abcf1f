/**
 * Row errors and warnings of one import: the first hundred in full, all of them counted.
 */
import { AppError } from '../../../errors.ts';
import { showUnseen } from '../../../lib/names/visible-text.ts';
import { maxNotesTold } from './limits.ts';
import type { CountedNotes, FileFacts, RowNote } from './types.ts';

/** The first notes by line, and how many there are. */
export interface Notes {
  readonly count: number;
  readonly first: readonly RowNote[];
}

/** Collects notes in any order, in bounded memory. */
export interface NoteList {
  add(note: RowNote): void;
  /** Adds notes of which only the first were fetched. */
  addMany(found: CountedNotes): void;
  list(): Notes;
}

/** An empty list of notes. */
export function createNoteList(): NoteList {
  let count = 0;
  let kept: RowNote[] = [];
  // A row with several values in a cell is read once for each of them.
  const ofLine = { line: 0, told: new Set<string>() };
  const trim = (atMost: number) => {
    if (kept.length > atMost) {
      kept = kept.sort(compareNotes).slice(0, maxNotesTold);
    }
  };
  return {
    add(note) {
      if (note.line !== ofLine.line) {
        ofLine.line = note.line;
        ofLine.told.clear();
      }
      const told = `${note.column}\n${note.reason}`;
      if (ofLine.told.has(told)) {
        return;
      }
      ofLine.told.add(told);
      count++;
      kept.push(note);
      trim(4 * maxNotesTold);
    },
    addMany({ notes, count: total }) {
      count += total;
      kept.push(...notes);
      trim(4 * maxNotesTold);
    },
    list: () => ({
      count,
      first: kept
        .sort(compareNotes)
        .slice(0, maxNotesTold)
        .map((note) => ({ ...note, reason: showUnseen(note.reason) })),
    }),
  };
}

function compareNotes(a: RowNote, b: RowNote): number {
  return a.line - b.line || (a.column < b.column ? -1 : a.column > b.column ? 1 : 0);
}

/** The refusal of a file because of its rows: INVALID_ARGUMENT with a violation for each of the first hundred. */
export function refuseRows(notes: Notes): AppError {
  const { count, first } = notes;
  const told = count > first.length ? ` The first ${first.length} are listed.` : '';
  return new AppError('INVALID_ARGUMENT', `Nothing was imported: the file has ${count} row ${count === 1 ? 'error' : 'errors'}.${told}`, {
    violations: first.map((note) => ({ field: fieldOf(note), description: note.reason })),
  });
}

/** The refusal of a file as a whole, at a line where one is to blame. */
export function refuseFile(reason: string, line?: number): AppError {
  return new AppError('INVALID_ARGUMENT', `Nothing was imported: ${line === undefined ? '' : `line ${line}: `}${reason}.`, {
    violations: [{ field: line === undefined ? 'file' : `line ${line}`, description: reason }],
  });
}

const noNotes: Notes = { count: 0, first: [] };

/** Ends an import whose file is refused: what the client is answered, what is known of the file, and the row errors it is refused for. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly refusal: AppError;
  readonly file: FileFacts;
  readonly notes: Notes;

  constructor(refusal: AppError, file: FileFacts, notes: Notes = noNotes) {
    super(refusal.message);
    this.refusal = refusal;
    this.file = file;
    this.notes = notes;
  }
}

function fieldOf(note: RowNote): string {
  return note.column === '' ? `line ${note.line}` : `line ${note.line}, ${note.column}`;
}
