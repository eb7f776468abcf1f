/** Values as the reading of statements knows them: what the code alone says of a value, and what only a run of the program would. */

/** A node of the syntax tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: any;
}

/** Text as it stands in a file of the code. */
export interface Piece {
  readonly text: string;
  readonly path: string;
  readonly at: number;
}

/** A value that becomes a parameter; `id` says which one. */
export interface Parameter {
  readonly parameter: string;
}

/** Text that the code alone does not tell. */
export interface Gap {
  readonly gap: string;
}

/** What a text is put together from. */
export type Part = Piece | Parameter | Gap;

/** Names by which a function or a block knows its values. */
export interface Scope {
  readonly names: Map<string, Value>;
  readonly outer: Scope | undefined;
  readonly path: string;
}

/** A value: known, or what is known of it. */
export type Value =
  | { readonly kind: 'text' | 'sql'; readonly parts: readonly Part[] }
  | { readonly kind: 'plain'; readonly value: number | boolean | null | undefined }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly isOpen: boolean }
  | { readonly kind: 'object'; readonly members: Map<string, Value>; readonly isOpen: boolean }
  | { readonly kind: 'function'; readonly node: Node; readonly scope: Scope }
  | { readonly kind: 'native'; readonly call: (args: readonly Value[], tag?: readonly Piece[]) => Value }
  | { readonly kind: 'unknown'; readonly id: string; readonly type: Typed | undefined };

/** A type as it is written, and the file it stands in. */
export interface Typed {
  readonly node: Node;
  readonly path: string;
}

export const nothing: Value = { kind: 'plain', value: undefined };

/** Returns a value of which nothing is known but its type, if that. */
export function unknown(id: string, type?: Typed): Value {
  return { kind: 'unknown', id, type };
}

export function plain(value: number | boolean | null | undefined): Value {
  return { kind: 'plain', value };
}

export function list(items: readonly Value[], isOpen = false): Value {
  return { kind: 'list', items, isOpen };
}

/** Returns the text of a value whose text is known; undefined otherwise. */
export function knownText(value: Value): string | undefined {
  if (value.kind === 'plain') {
    return String(value.value);
  }
  if (value.kind !== 'text') {
    return undefined;
  }
  return value.parts.every((part) => 'text' in part) ? value.parts.map((part) => ('text' in part ? part.text : '')).join('') : undefined;
}

/** Tells whether a condition holds; undefined where only a run of the program would tell. */
export function truthOf(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'plain':
      return Boolean(value.value);
    case 'unknown':
      return undefined;
    case 'text': {
      const text = knownText(value);
      return text === undefined ? undefined : text !== '';
    }
    default:
      return true;
  }
}
