/** An expression after checking: what evaluation and translation into SQL both read. Each node has its type and its place in the text. */
import type { CallName } from './calls.ts';
import type { DirectoryFunctionName, VariableName } from './environments.ts';
import type { ObjectName } from './objects.ts';
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/** Base of every node: its type, and where it begins in the text (UTF-16 units from 0). */
export interface Placed {
  readonly type: Type;
  readonly at: number;
}

/** A comprehension. */
export type Macro = 'all' | 'exists' | 'exists_one' | 'map';

/** A node. */
export type Node = Placed &
  (
    | { readonly op: 'literal'; readonly value: Value }
    | { readonly op: 'variable'; readonly name: VariableName }
    /** The item that a comprehension is at; `slot` counts the comprehensions around it. */
    | { readonly op: 'local'; readonly slot: number }
    | { readonly op: 'field'; readonly of: Node; readonly object: ObjectName; readonly field: string }
    /** An item of a list or a map. */
    | { readonly op: 'item'; readonly of: Node; readonly key: Node }
    /** True if a map has a key, or a field is not empty. */
    | { readonly op: 'has'; readonly of: Node; readonly key: string }
    | { readonly op: 'and' | 'or'; readonly parts: readonly Node[] }
    | { readonly op: 'choice'; readonly condition: Node; readonly yes: Node; readonly no: Node }
    /** A function whose answer depends on its arguments alone; operators too. */
    | { readonly op: 'call'; readonly name: CallName; readonly args: readonly Node[] }
    | { readonly op: 'ask'; readonly name: DirectoryFunctionName; readonly args: readonly Node[] }
    | { readonly op: 'now' }
    | { readonly op: 'list'; readonly items: readonly Node[] }
    | { readonly op: 'map'; readonly entries: readonly { readonly key: Node; readonly value: Node }[] }
    /** filter() is a map with a test whose body is the item itself. */
    | {
        readonly op: 'macro';
        readonly macro: Macro;
        readonly slot: number;
        readonly range: Node;
        readonly test: Node | undefined;
        readonly body: Node | undefined;
      }
  );
