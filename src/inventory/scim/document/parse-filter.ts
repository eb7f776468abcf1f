/**
 * Filters of SCIM (RFC 7644 section 3.4.2.2) as a tree. What the attributes mean, and which of them can be searched for, is not here.
 */

/** Comparisons; `pr` (is present) has no value. */
export type FilterOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le' | 'pr';

/** A value of a filter: any JSON scalar. */
export type FilterValue = string | number | boolean | null;

/** A filter. `path` is the attribute path in lower case, without the URN of a core schema. */
export type Filter =
  | { readonly kind: 'compare'; readonly path: string; readonly operator: FilterOperator; readonly value: FilterValue }
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** A filter on the values of a multi-valued attribute: emails[type eq "work"]. */
  | { readonly kind: 'values'; readonly path: string; readonly filter: Filter };

/** Fault in a filter; becomes an error of type invalidFilter. */
export class FilterError extends Error {}

/** Deepest nesting, longest text and most comparisons that are read: a filter comes from outside, and each comparison may look at every user. */
const maxDepth = 20;
const maxLength = 4096;
const maxComparisons = 100;

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr']);
const coreUrns = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
const attributePath = /^(?:urn:[a-z0-9:._-]+:)?[a-z$][a-z0-9$_-]*(?:\.[a-z$][a-z0-9$_-]*)?$/;

interface Token {
  readonly text: string;
  /** A string literal, decoded. */
  readonly literal?: string;
}

/** The filter that the text says; FilterError for one that is none. Attribute names and operators are read in any case, as the RFC has it. */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) {
    throw new FilterError(`is longer than ${maxLength} characters`);
  }
  const reader = new FilterReader(tokenize(text));
  const filter = reader.readOr(0);
  reader.expectEnd();
  return filter;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+)/gy;
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) {
      throw new FilterError(`cannot be read from character ${at + 1} on`);
    }
    if (match[1] !== undefined) {
      tokens.push({ text: match[1], literal: decode(match[1]) });
    } else if (match[2] !== undefined || match[3] !== undefined) {
      tokens.push({ text: match[0] });
    }
  }
  return tokens;
}

function decode(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new FilterError(`holds a text that is not a JSON string: ${quoted.slice(0, 60)}`);
  }
}

class FilterReader {
  readonly #tokens: readonly Token[];
  #next = 0;
  #comparisons = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  readOr(depth: number): Filter {
    let left = this.readAnd(depth);
    while (this.takeWord('or')) {
      left = { kind: 'or', left, right: this.readAnd(depth) };
    }
    return left;
  }

  readAnd(depth: number): Filter {
    let left = this.readOne(depth);
    while (this.takeWord('and')) {
      left = { kind: 'and', left, right: this.readOne(depth) };
    }
    return left;
  }

  readOne(depth: number): Filter {
    if (depth > maxDepth) {
      throw new FilterError(`is nested more than ${maxDepth} deep`);
    }
    if (this.takeWord('not')) {
      this.expect('(');
      const filter = this.readOr(depth + 1);
      this.expect(')');
      return { kind: 'not', filter };
    }
    if (this.takeWord('(')) {
      const filter = this.readOr(depth + 1);
      this.expect(')');
      return filter;
    }
    return this.readComparison(depth);
  }

  readComparison(depth: number): Filter {
    if (++this.#comparisons > maxComparisons) {
      throw new FilterError(`has more than ${maxComparisons} comparisons`);
    }
    const path = this.readPath();
    if (this.takeWord('[')) {
      const filter = this.readOr(depth + 1);
      this.expect(']');
      return { kind: 'values', path, filter };
    }
    const operator = this.take('an operator').text.toLowerCase();
    if (!operators.has(operator)) {
      throw new FilterError(`has ${JSON.stringify(operator.slice(0, 20))} where an operator should be (${[...operators].join(', ')})`);
    }
    return {
      kind: 'compare',
      path,
      operator: operator as FilterOperator,
      value: operator === 'pr' ? null : this.readValue(),
    };
  }

  readPath(): string {
    const token = this.take('an attribute');
    const path = token.text.toLowerCase().replace(coreUrns, '');
    if (token.literal !== undefined || !attributePath.test(path)) {
      throw new FilterError(`has ${token.text.slice(0, 60)} where an attribute should be`);
    }
    return path;
  }

  readValue(): FilterValue {
    const token = this.take('a value');
    if (token.literal !== undefined) {
      return token.literal;
    }
    const word = token.text.toLowerCase();
    if (word === 'true' || word === 'false') {
      return word === 'true';
    }
    if (word === 'null') {
      return null;
    }
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(word)) {
      return Number(word);
    }
    throw new FilterError(`has ${token.text.slice(0, 60)} where a value should be; texts are in double quotes`);
  }

  expectEnd(): void {
    const token = this.#tokens[this.#next];
    if (token !== undefined) {
      throw new FilterError(`continues with ${token.text.slice(0, 60)} where it should end`);
    }
  }

  private expect(text: string): void {
    if (!this.takeWord(text)) {
      throw new FilterError(`lacks ${text}`);
    }
  }

  private take(what: string): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined) {
      throw new FilterError(`ends where ${what} should be`);
    }
    this.#next++;
    return token;
  }

  private takeWord(word: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.literal !== undefined || token?.text.toLowerCase() !== word) {
      return false;
    }
    this.#next++;
    return true;
  }
}
