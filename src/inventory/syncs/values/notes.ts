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
  /** What is said of the most rows, where all notes were counted by it. */
  readonly usual?: UsualNote;
}

/** Something that is said of many rows, with the first of their lines. */
interface UsualNote {
  readonly column: string;
  readonly reason: string;
  count: number;
  readonly lines: number[];
}

/** Collects notes in any order, in bounded memory. */
export interface NoteList {
  add(note: RowNote): void;
  /** Adds notes of which only the first were fetched. */
  addMany(found: CountedNotes): void;
  list(): Notes;
}

/** So many different things that are said are counted. */
const maxKinds = 1000;
/** What is said of so many rows is said once for all of them. */
const manyRows = 10;
/** So many of their lines are named. */
const linesTold = 5;

/** An empty list of notes. */
export function createNoteList(): NoteList {
  let count = 0;
  let kept: RowNote[] = [];
  // A row with several values in a cell is read once for each of them.
  const ofLine = { line: 0, told: new Set<string>() };
  /** How often each thing was said; undefined once not all notes were seen. */
  let kinds: Map<string, UsualNote> | undefined = new Map();
  const countKind = ({ line, column, reason }: RowNote) => {
    const key = `${column}\n${reason}`;
    const known = kinds?.get(key);
    if (known !== undefined) {
      known.count++;
      if (known.lines.length < linesTold) {
        known.lines.push(line);
      }
    } else if (kinds !== undefined && kinds.size < maxKinds) {
      kinds.set(key, { column, reason, count: 1, lines: [line] });
    }
  };
  const findUsual = (): Pick<Notes, 'usual'> => {
    const [first, ...others] = kinds?.values() ?? [];
    return first === undefined ? {} : { usual: others.reduce((most, kind) => (kind.count > most.count ? kind : most), first) };
  };
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
      countKind(note);
      kept.push(note);
      trim(4 * maxNotesTold);
    },
    addMany({ notes, count: total }) {
      count += total;
      if (total === notes.length) {
        notes.forEach(countKind);
      } else {
        kinds = undefined;
      }
      kept.push(...notes);
      trim(4 * maxNotesTold);
    },
    list: () => ({
      count,
      first: kept
        .sort(compareNotes)
        .slice(0, maxNotesTold)
        .map((note) => ({ ...note, reason: showUnseen(note.reason) })),
      ...findUsual(),
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
  const message = `Nothing was imported: the file has ${count} row ${count === 1 ? 'error' : 'errors'}.${told}${tellUsual(notes)}`;
  return new AppError('INVALID_ARGUMENT', message, {
    violations: first.map((note) => ({ field: fieldOf(note), description: note.reason })),
  });
}

/** What is said of many rows, said once, with what helps where a wrong column is read. */
function tellUsual({ count, usual }: Notes): string {
  if (usual === undefined || usual.count < manyRows) {
    return '';
  }
  const { column, lines } = usual;
  const share = usual.count === count ? 'All of them say' : `${usual.count} of them say`;
  const where = `lines ${lines.join(', ')}${usual.count > lines.length ? ', ...' : ''}`;
  const next = /^[a-z_]+$/.test(column) ? `; if another column of the file says it, pass map=${column}=COLUMN` : '';
  return ` ${share} the same (${where}): ${column === '' ? '' : `${column}: `}${showUnseen(usual.reason)}${next}.`;
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
