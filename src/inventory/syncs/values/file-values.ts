/**
 * The values of one file, from how its system writes them to how we do: words, times, joined columns. What was made of them is counted, to be
 * said in the summary of the import; what has no known meaning is a row error.
 */
import { isOver } from './end-dates.ts';
import { type Complain, isWrittenTime, quote } from './fields.ts';
import { anyValue, type DateOrder, type Places, type WordKind } from './mapping.ts';
import { explainTime, readOtherTime } from './times.ts';
import { wordMeaning, oppositeWord, knownWords } from './value-words.ts';

/** Times a value of a column was read as something. */
export interface ValueCount {
  readonly column: string;
  readonly value: string;
  readonly meaning: string;
  readonly count: number;
}

/** A cell that is made of others of its row. */
export type MadeCell = (row: readonly string[], line: number, complain: Complain) => string;

/** One wanted column, and the columns of the file it is made of. */
export interface CellSource {
  readonly column: string;
  readonly places: Places;
  /** Meanings given, by the value in lower case. */
  readonly given: ReadonlyMap<string, string>;
  /** Of a column of words: which, and which of the places say the opposite. */
  readonly kind?: WordKind;
  readonly opposite?: readonly boolean[];
  /** Those that hold the day on which the account ends, by the names of their columns; '' for the others. */
  readonly ends?: readonly string[];
  readonly isTime?: boolean;
}

/** Reading of the values of a file. */
export interface ValueFacts {
  readonly values: readonly ValueCount[];
  /** Order of dates like 03/04/2026; undefined where the file has none that needs it. */
  readonly dateOrder: DateOrder | undefined;
  /** The first line with a date that can be read in both orders, where nothing says which; 0 for none. */
  readonly openDateLine: number;
  readonly openDate: string;
  /** True if some dates are written as PostgreSQL's DateStyle reads them. */
  readonly hasOpenDates: boolean;
  /** Count of rows with an end that is over: the same bytes say something else once there is one more. */
  readonly over: number;
}

/** The values of one file. */
export interface FileValues {
  makeCell(source: CellSource): MadeCell;
  /** Counts a value that was read as something. */
  count(column: string, value: string, meaning: string): void;
  facts(): ValueFacts;
}

/** Different values counted, of all columns together; a column of words has few. */
const maxCounted = 500;

/** Reads the values of one file at a moment; `order` is how its dates are written, where that was asked for or kept. */
export function createFileValues(order: DateOrder | undefined, now: Date): FileValues {
  const counted = new Map<string, { readonly column: string; readonly value: string; readonly meaning: string; count: number }>();
  const found = { order, shownAt: 0, openLine: 0, openDate: '', over: 0 };

  function count(column: string, value: string, meaning: string): void {
    const key = `${column}\n${meaning}\n${value}`;
    const known = counted.get(key);
    if (known !== undefined) {
      known.count++;
    } else if (counted.size < maxCounted) {
      counted.set(key, { column, value: value.slice(0, 100), meaning, count: 1 });
    }
  }

  function readTime(column: string, text: string, line: number, complain: Complain): string {
    if (text === '' || isWrittenTime(text)) {
      return text;
    }
    const read = readOtherTime(text, found.order);
    if (read === undefined) {
      complain(column, explainTime(text));
      return '';
    }
    if (read.as === 'either') {
      if (found.openLine === 0) {
        found.openLine = line;
        found.openDate = text;
      }
      return read.text;
    }
    if (read.order !== undefined && read.order !== found.order) {
      if (found.order !== undefined) {
        const first = found.shownAt > 0 ? `line ${found.shownAt} has` : 'the mapping says';
        complain(column, `${quote(text)} is written ${tellOrder(read.order)}, and ${first} dates ${tellOrder(found.order)}`);
        return '';
      }
      found.order = read.order;
      found.shownAt = line;
    }
    return read.text;
  }

  function makeTime({ column, places }: CellSource): MadeCell {
    const [only] = places.at;
    if (places.at.length === 1 && only !== undefined) {
      return (row, line, complain) => readTime(column, (row[only] ?? '').trim(), line, complain);
    }
    // Of several times the latest counts, or the first that there is.
    return (row, line, complain) => {
      const times = places.at.map((at) => readTime(column, (row[at] ?? '').trim(), line, complain)).filter((time) => time !== '');
      if (places.how === 'first' || times.length < 2) {
        return times[0] ?? '';
      }
      if (times.some((time) => !isWrittenTime(time))) {
        complain(column, 'is the latest of several dates, and their order is not known: pass dates=DMY or dates=MDY');
        return '';
      }
      return times.reduce((latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest));
    };
  }

  function makeWord({ column, places, given, kind = 'status', opposite = [], ends = [] }: CellSource): MadeCell {
    const [usual, other] = knownWords[kind];
    const cache = new Map<string, string>();
    const knownMeaning = (value: string, isOpposite: boolean): string | undefined =>
      given.get(value.trim().toLowerCase()) ?? (isOpposite ? oppositeWord(kind, value) : wordMeaning(kind, value));
    const meaningAt = (value: string, isOpposite: boolean, complain: Complain): string => {
      const key = `${isOpposite}${value}`;
      const known = cache.get(key);
      if (known !== undefined) {
        return known;
      }
      const text = value.trim().toLowerCase();
      const word = knownMeaning(value, isOpposite) ?? given.get(anyValue);
      if (word === undefined) {
        const example = `${column}:${text === '' ? '' : value.trim()}=${usual}`;
        complain(
          column,
          `${text === '' ? 'an empty value' : quote(value.trim())} is none of ${knownWords[kind].join(', ')}, and its meaning is not known; give it, such as ${quote(example)}`,
        );
        return '';
      }
      if (cache.size < maxCounted) {
        cache.set(key, word);
      }
      return word;
    };
    const endAt = (value: string, name: string, line: number, complain: Complain): string => {
      const text = value.trim();
      let isWrong = false;
      const read = readTime(name, text, line, (field, reason) => {
        isWrong = true;
        complain(field, reason);
      });
      const over = read === '' ? false : isOver(text, found.order, now);
      if (isWrong || over === undefined) {
        if (!isWrong) {
          complain(
            name,
            `${quote(text)} is over or not, depending on whether the day or the month stands first: pass dates=DMY or dates=MDY`,
          );
        }
        return '';
      }
      found.over += over ? 1 : 0;
      if (over || places.at.length === 1) {
        count(column, over ? `${name} in the past` : `${name} not in the past`, over ? (other ?? usual) : usual);
      }
      return over ? (other ?? usual) : usual;
    };
    return (row, line, complain) => {
      let hasUsual = false;
      let hasPlain = false;
      let isRefused = false;
      let single = '';
      for (const [index, at] of places.at.entries()) {
        const value = row[at] ?? '';
        const end = ends[index] ?? '';
        const isOpposite = opposite[index] === true || end !== '';
        const word = end === '' ? meaningAt(value, isOpposite, complain) : endAt(value, end, line, complain);
        if (word === '') {
          return '';
        }
        if (end === '') {
          count(column, given.has(anyValue) && knownMeaning(value, isOpposite) === undefined ? anyValue : value.trim(), word);
        }
        single = word;
        hasPlain ||= !isOpposite;
        hasUsual ||= !isOpposite && word === usual;
        isRefused ||= isOpposite && word !== usual;
      }
      // Several columns: usable by one of those that say so, and held back by none of those that say the opposite.
      return places.at.length === 1 ? single : (!hasPlain || hasUsual) && !isRefused ? usual : (other ?? usual);
    };
  }

  function makeText({ column, places, given }: CellSource): MadeCell {
    const { at, how } = places;
    return (row) => {
      const texts = at.map((place) => row[place] ?? '');
      const text = at.length === 1 ? (texts[0] ?? '') : how === 'first' ? (texts.find((one) => one.trim() !== '') ?? '') : joinTexts(texts);
      if (given.size === 0) {
        return text;
      }
      const meaning = given.get(text.trim().toLowerCase()) ?? given.get(anyValue);
      if (meaning !== undefined) {
        count(column, text.trim(), meaning);
      }
      return meaning ?? text;
    };
  }

  return {
    count,
    makeCell: (source) => (source.kind !== undefined ? makeWord(source) : source.isTime === true ? makeTime(source) : makeText(source)),
    facts: () => ({
      values: [...counted.values()].sort((a, b) => (a.column < b.column ? -1 : a.column > b.column ? 1 : b.count - a.count)),
      dateOrder: found.order,
      openDateLine: found.order === undefined ? found.openLine : 0,
      openDate: found.openDate,
      hasOpenDates: found.openLine > 0,
      over: found.over,
    }),
  };
}

function tellOrder(order: DateOrder): string {
  return order === 'DMY' ? 'with the day first' : 'with the month first';
}

function joinTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
}
