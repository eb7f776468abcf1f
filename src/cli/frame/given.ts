/** The options and operands of a command as a table says them, and the types of what they hold after parsing. */
import { type Command, Option } from 'commander';
import type { Client } from '../../client/index.ts';
import type { ConnectOptions } from './connect.ts';

/** Table entry of an option beside its flags; a string alone is its `text`. */
export interface OptionDetail {
  readonly text: string;
  /** The words it takes; a table of them also says what is sent for each. */
  readonly choices?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly fallback?: string | number;
  readonly needed?: true;
  /** Makes a value of each text; `before` is what the flag held so far. */
  readonly parse?: (text: string, before?: never) => unknown;
  /** The field of the request it fills, where the flag has another name. */
  readonly field?: string;
  /** Makes what is sent of what was typed: the id of a name. */
  readonly find?: (client: Client, text: string) => Promise<string>;
  /** Error thrown, before anything is sent, where it is not given. */
  readonly otherwise?: () => Error;
}

/** Options by their flags, such as `--state <state>`, in the order of the help. */
export type OptionTable = Readonly<Record<`-${string}`, string | OptionDetail>>;

/** Operands in their order, such as `<review>`, `[id]` or `<task...>`, with what the help says of each. */
export type OperandTable = Readonly<Record<`<${string}>` | `[${string}]`, string>>;

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Flag<F> = F extends `${string}--no-${infer R}`
  ? Flag<`--${R}`>
  : F extends `${string}--${infer R} ${string}`
    ? R
    : F extends `${string}--${infer R}`
      ? R
      : never;
type Operand<P> = P extends `${'<' | '['}${infer N}...${string}` ? N : P extends `<${infer N}>` | `[${infer N}]` ? N : never;

type OptionValue<F, D> = D extends { parse: (...given: never[]) => infer V }
  ? V
  : D extends { choices: readonly (infer C)[] }
    ? C
    : D extends { choices: Readonly<Record<infer C, unknown>> }
      ? C
      : F extends `${string}<${string}`
        ? string
        : boolean;
type OperandValue<P> = P extends `${string}...${string}` ? readonly string[] : P extends `[${string}` ? string | undefined : string;
type Absent<D> = D extends { needed: true } | { fallback: unknown } ? never : undefined;

/** Input of a command: its operands and options, and those that all share. */
export type Given<P, F> = ConnectOptions & { readonly [K in keyof P as Camel<Operand<K>>]: OperandValue<K> } & {
  readonly [K in keyof F as Camel<Flag<K>>]: OptionValue<K, F[K]> | Absent<F[K]>;
};

/** The name under which a flag or an operand stands in what was given. */
export function nameIn(flagsOrOperand: string): string {
  const [, flag] = /--(?:no-)?([a-z-]+)/.exec(flagsOrOperand) ?? [];
  return (flag ?? flagsOrOperand.replace(/[^a-z-]/g, '')).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The detail of an option. */
export function detailOf(said: string | OptionDetail): OptionDetail {
  return typeof said === 'string' ? { text: said } : said;
}

/** Adds options and operands to a command. */
export function addGiven(command: Command, operands: OperandTable, options: OptionTable): void {
  for (const [name, text] of Object.entries(operands)) {
    command.argument(name, text);
  }
  for (const [flags, said] of Object.entries(options)) {
    const { text, choices, fallback, needed = false, parse } = detailOf(said);
    const option = new Option(flags, text).makeOptionMandatory(needed);
    if (choices !== undefined) {
      option.choices(Array.isArray(choices) ? (choices as string[]) : Object.keys(choices));
    }
    if (fallback !== undefined) {
      option.default(fallback);
    }
    if (parse !== undefined) {
      option.argParser(parse as (text: string) => unknown);
    }
    command.addOption(option);
  }
}
