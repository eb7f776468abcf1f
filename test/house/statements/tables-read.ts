/** The tables and views that a statement reads, each with the place of the code where its name stands. */
import type { Part } from './values.ts';

/** A name that a statement reads rows from. */
export interface Read {
  readonly table: string;
  /** The file and the place in which the name stands; that of the clause before it where no file has the name. */
  readonly path: string;
  readonly at: number;
  /** The file of the clause that reads it; empty where none is known. */
  readonly clausePath: string;
  /** True if the statement itself gives the name to something (WITH). */
  readonly isOwn: boolean;
}

interface Token {
  readonly text: string;
  /** In capitals; empty for a name in quotes. */
  readonly word: string;
  readonly start: number;
}

/** Stands for what the code alone does not tell. */
const hole = '\u0001';

const pattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it stands for a hole, and in no statement.
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"((?:[^"]|"")+)"|[A-Za-z_\u0001][\w\u0001]*|\$\d+|\d[\w.]*|\S/g;

function tokensOf(text: string): Token[] {
  return [...text.matchAll(pattern)]
    .filter(([token]) => !/^(?:--|\/\*|'|\$\w*\$)/.test(token))
    .map(({ 0: token, 2: quoted, index }) => ({
      text: quoted ?? token.toLowerCase(),
      word: quoted === undefined ? token.toUpperCase() : '',
      start: index,
    }));
}

/** What a FROM belongs to that begins no list of tables: extract(year FROM x). */
const functions = new Set(['EXTRACT', 'SUBSTRING', 'TRIM', 'OVERLAY', 'POSITION']);

/** Words after which a list of tables is over. */
const ends = new Set(
  'WHERE GROUP ORDER LIMIT HAVING UNION EXCEPT INTERSECT SELECT RETURNING SET WINDOW FOR OFFSET FETCH VALUES DO WHEN'.split(' '),
);

/** Words that stand before the name of a table. */
const before = new Set(['LATERAL', 'ONLY', '(', 'TABLE']);

interface Level {
  /** True while a list of tables goes on. */
  isList: boolean;
  /** The word before the bracket. */
  readonly opener: string;
  /** Names that a WITH of this level gives, and the token from which on they mean that. */
  readonly given: Map<string, number>;
}

/** Where the bracket that opens at a token closes. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    depth += tokens[at]?.text === '(' ? 1 : tokens[at]?.text === ')' ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  return tokens.length;
}

/** The names that a WITH at a token gives, each with the token from which on it means that. */
function givenBy(tokens: readonly Token[], from: number): [string, number][] {
  const isRecursive = tokens[from + 1]?.word === 'RECURSIVE';
  const given: [string, number][] = [];
  let at = from + (isRecursive ? 2 : 1);
  while (at < tokens.length) {
    const name = tokens[at];
    const after = tokens[at + 1]?.text === '(' ? closing(tokens, at + 1) + 1 : at + 1;
    let open = after;
    if (tokens[open]?.word !== 'AS' || name === undefined) {
      // A hole may hold further names.
      if (name?.text.includes(hole) !== true) {
        return given;
      }
      at++;
      continue;
    }
    while (open < tokens.length && tokens[open]?.text !== '(') {
      open++;
    }
    const close = closing(tokens, open);
    given.push([name.text, isRecursive ? open : close]);
    if (tokens[close + 1]?.text !== ',' && tokens[close + 1]?.text.includes(hole) !== true) {
      return given;
    }
    at = close + (tokens[close + 1]?.text === ',' ? 2 : 1);
  }
  return given;
}

/** The names that a text reads rows from, each with its place in the text and that of the word before it. */
function namesIn(text: string, isPart: boolean): { name: string; at: number; clause: number; isOwn: boolean }[] {
  const tokens = tokensOf(text);
  const level = (opener: string): Level => ({ isList: false, opener, given: new Map() });
  const levels: Level[] = [level('')];
  const found: { name: string; at: number; clause: number; isOwn: boolean }[] = [];
  const take = (from: number, clause: Token, hasColumns = false) => {
    let at = from;
    while (before.has(tokens[at]?.word ?? '')) {
      at++;
    }
    let name = tokens[at];
    while (tokens[at + 1]?.text === '.' && tokens[at + 2] !== undefined) {
      at += 2;
      name = tokens[at];
    }
    const isName = name !== undefined && (name.word === '' || /^[A-Z_]\w*$/.test(name.word)) && !/^(?:SELECT|WITH|VALUES)$/.test(name.word);
    if (name !== undefined && isName && (hasColumns || tokens[at + 1]?.text !== '(')) {
      const isOwn = levels.some(({ given }) => (given.get(name.text) ?? Number.POSITIVE_INFINITY) < at);
      found.push({ name: name.text, at: name.start, clause: clause.start, isOwn });
    }
  };
  if (isPart && /^\s*\w+\s+(?:AS\s+)?\w+\s+(?:(?:LEFT|CROSS|INNER|FULL)\s+)?(?:JOIN|WHERE)\b/i.test(text) && tokens[0] !== undefined) {
    // A part that stands after the FROM of another.
    take(0, tokens[0]);
    levels[0] = { ...level(''), isList: true };
  }
  for (const [at, token] of tokens.entries()) {
    const here = levels.at(-1) ?? level('');
    const last = tokens[at - 1]?.word ?? '';
    if (token.text === '(') {
      // A bracket in a list of tables holds a join, or a statement.
      levels.push({ ...level(last), isList: here.isList && /^(?:FROM|JOIN|,|LATERAL|\()$/.test(last) });
    } else if (token.text === ')') {
      if (levels.length > 1) {
        levels.pop();
      }
    } else if (token.word === 'WITH') {
      for (const [name, from] of givenBy(tokens, at)) {
        here.given.set(name, from);
      }
    } else if (token.word === 'FROM' && last !== 'DISTINCT' && !functions.has(here.opener)) {
      here.isList = true;
      take(at + 1, token);
    } else if (
      token.word === 'JOIN' ||
      (token.word === 'TABLE' && !/^(?:CREATE|TEMP|TEMPORARY|UNLOGGED|LOCK|TRUNCATE|ALTER|DROP)$/.test(last))
    ) {
      take(at + 1, token);
    } else if (token.word === 'USING' && tokens[at + 1]?.text !== '(' && last !== 'INDEX') {
      here.isList = true;
      take(at + 1, token);
    } else if (token.word === 'COPY' && tokens[at + 1]?.text !== '(' && tokens.slice(at).some(({ word }) => word === 'TO')) {
      take(at + 1, token, true);
    } else if (token.text === ',' && here.isList) {
      take(at + 1, token);
    } else if (ends.has(token.word)) {
      here.isList = false;
    }
  }
  return found;
}

/** The tables and views that a statement, or a part of one, reads. */
export function readsOf(parts: readonly Part[], isPart = false): Read[] {
  let text = '';
  const places: { readonly from: number; readonly part: Part }[] = [];
  for (const part of parts) {
    places.push({ from: text.length, part });
    text += 'text' in part ? part.text : 'gap' in part ? ` ${hole} ` : ' $1 ';
  }
  const placeOf = (at: number) => {
    const place = places.findLast(({ from }) => from <= at);
    return place !== undefined && 'text' in place.part && place.part.path !== ''
      ? { path: place.part.path, at: place.part.at + at - place.from }
      : undefined;
  };
  return namesIn(text, isPart).map(({ name, at, clause, isOwn }) => ({
    table: name,
    isOwn,
    clausePath: placeOf(clause)?.path ?? '',
    ...(placeOf(at) ?? placeOf(clause) ?? { path: '', at }),
  }));
}
