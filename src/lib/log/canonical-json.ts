/**
 * One text for one JSON value (RFC 8785), for what is hashed and signed: the same bytes here, in SQL and in other languages. Numbers are
 * whole, because languages write fractions differently. What only has to compare equal within this program is ordered by `sortedJson`.
 */

/** Reason a value has no canonical text; the message begins with the path inside the value. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError';
  /** Path in the value, like `data.rows[2].share`; empty for the value itself. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.path = path;
  }
}

/** The way from the value to where the walk is: for each depth the object there, and the name or index that was followed. */
interface Trail {
  readonly parents: object[];
  readonly names: (string | number)[];
}

const maxDepth = 64;
/** Characters to escape between quotes: control characters, quotation marks, backslashes, and halves of pairs of surrogates. */
const needsCare = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * The canonical text of strings, booleans, null, arrays, plain objects and whole numbers up to 2^53 - 1. Throws a CanonicalJsonError for
 * anything else: fractions, minus zero, undefined, lone surrogates, instances of classes, what contains itself or nests over 64 levels.
 */
export function canonicalJson(value: unknown): string {
  return write(value, { parents: [], names: [] }, 0);
}

/** The value of a text that `canonicalJson` wrote. Throws for any other text, so that a member given twice or an odd spelling is found. @internal */
export function readCanonicalJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (canonicalJson(value) !== text) {
    throw new CanonicalJsonError('', 'the text is not in canonical form: members in order, each once, no spaces');
  }
  return value;
}

/** JSON with members in a fixed order, for comparison alone. It takes whatever JSON.stringify takes, and leaves out what is undefined. */
export function sortedJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
  return text ?? 'null';
}

function write(value: unknown, trail: Trail, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value, trail, depth);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? `${value}` : refuse(trail, depth, reasonOfNumber(value));
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeParent(value, trail, depth);
    default:
      return refuse(trail, depth, `${value === undefined ? 'undefined' : `a ${typeof value}`} is not JSON`);
  }
}

function writeParent(value: object, trail: Trail, depth: number): string {
  if (depth === maxDepth) {
    return refuseDepth(trail, value);
  }
  trail.parents[depth] = value;
  if (Array.isArray(value)) {
    return writeArray(value, trail, depth);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return refuse(trail, depth, `an instance of ${value.constructor?.name || 'a class'} is not JSON`);
  }
  return writeObject(value as Readonly<Record<string, unknown>>, trail, depth);
}

function writeArray(value: readonly unknown[], trail: Trail, depth: number): string {
  let text = '[';
  for (let index = 0; index < value.length; index++) {
    trail.names[depth] = index;
    text += `${index === 0 ? '' : ','}${write(value[index], trail, depth + 1)}`;
  }
  return `${text}]`;
}

function writeObject(value: Readonly<Record<string, unknown>>, trail: Trail, depth: number): string {
  let text = '{';
  for (const name of inOrder(Object.keys(value))) {
    trail.names[depth] = name;
    text += `${text === '{' ? '' : ','}${quote(name, trail, depth + 1)}:${write(value[name], trail, depth + 1)}`;
  }
  return `${text}}`;
}

/** The names in the order of their code units, sorted in place. Most objects have few; inserting one by one is then three times faster. */
function inOrder(names: string[]): string[] {
  if (names.length > 16) {
    return names.sort();
  }
  for (let next = 1; next < names.length; next++) {
    const name = names[next]!;
    let place = next;
    for (; place > 0 && names[place - 1]! > name; place--) {
      names[place] = names[place - 1]!;
    }
    names[place] = name;
  }
  return names;
}

/** JSON.stringify escapes as RFC 8785 wants. Most texts need no escape; putting them between quotes is then faster. */
function quote(text: string, trail: Trail, depth: number): string {
  if (!needsCare.test(text)) {
    return `"${text}"`;
  }
  return text.isWellFormed() ? JSON.stringify(text) : refuse(trail, depth, 'a lone surrogate is not text');
}

function reasonOfNumber(value: number): string {
  if (Object.is(value, -0)) {
    return 'minus zero has no sign in JSON';
  }
  return Number.isInteger(value) ? `${value} is beyond 2^53 - 1` : `${value} is not a whole number`;
}

function refuse(trail: Trail, depth: number, reason: string): never {
  throw new CanonicalJsonError(pathOf(trail.names.slice(0, depth)), reason);
}

/** A value that contains itself is found when the walk is too deep, so that sound values pay nothing for the search. */
function refuseDepth(trail: Trail, value: object): never {
  const parents = [...trail.parents.slice(0, maxDepth), value];
  const again = parents.findIndex((parent, depth) => parents.indexOf(parent) < depth);
  return again < 0
    ? refuse(trail, maxDepth, `it is nested more than ${maxDepth} levels deep`)
    : refuse(trail, again, 'the value contains itself here');
}

function pathOf(names: readonly (string | number)[]): string {
  return names
    .map((name, depth) => {
      if (typeof name === 'string' && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) {
        return depth === 0 ? name : `.${name}`;
      }
      return `[${JSON.stringify(name)}]`;
    })
    .join('');
}
