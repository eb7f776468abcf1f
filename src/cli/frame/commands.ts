/**
 * Groups of commands as tables. A command that sends one request is an entry of `list` or `call`: the contract's descriptors give its path,
 * its fields, its paging and its cells. One that does more is an entry of `run`, which leaves it the work in between.
 */
import type { DescMessage, DescMethod, JsonObject, MessageJsonType } from '@bufbuild/protobuf';
import type { Command } from 'commander';
import { type Client, descriptorOf, type ListItem, type Method } from '../../client/index.ts';
import { type Cell, tableCells } from './cells.ts';
import { connect, withConnection } from './connect.ts';
import { type CsvColumn, printCsv } from './csv.ts';
import { addGiven, detailOf, type Given, nameIn, type OperandTable, type OptionTable } from './given.ts';
import { CommandFailure, type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { showHidden } from '../../lib/names/visible-text.ts';
import { listAll } from './list.ts';
import { readRequest } from './send-request.ts';

/** Lines of text; a single one is a line as well. */
export type Lines = string | readonly string[];

/** Result of a command: a value with --json, and lines for people, which are only made where they are shown. */
export interface Answer {
  readonly json: unknown;
  readonly text: Lines | (() => Lines | Promise<Lines>);
  /** Reason it failed although there is something to show. */
  readonly failure?: string | undefined;
  /** Exit code of that, where it is not 1. */
  readonly exitCode?: number;
}

/** Context of a command. The client is made when it is asked for, so that wrong usage is found without a server. */
export interface Session {
  readonly io: CommandIo;
  readonly client: Client;
}

/** Parts of every command. */
export interface CommandTable<P, F> {
  readonly description: string;
  readonly operands?: P;
  readonly options?: F;
  /** Adds the options that are shared with others, those of a connection unless this says otherwise. */
  readonly shared?: (command: Command) => Command;
}

interface ActTable<P, F> extends CommandTable<P, F> {
  /** Does the work. What it returns is shown; one that writes by itself returns nothing. */
  readonly act: (given: Given<P, F>, session: Session) => Promise<Answer | undefined>;
}

interface RequestTable<I extends DescMessage, O extends DescMessage, P, F> extends CommandTable<P, F> {
  readonly method: Method<I, O>;
  /** Fields of the request that neither an operand nor an option of their name gives. */
  readonly request?: (given: Given<P, F>, session: Session) => MessageJsonType<I> | Promise<MessageJsonType<I>>;
}

type Item<O extends DescMessage, K> = [K] extends [never]
  ? ListItem<MessageJsonType<O>>
  : K extends keyof ListItem<MessageJsonType<O>>
    ? NonNullable<ListItem<MessageJsonType<O>>[K]>
    : never;

interface ListTable<I extends DescMessage, O extends DescMessage, P, F, K, N> extends RequestTable<I, O, P, F> {
  /** The member of each item that is shown, where the item is a view of it. */
  readonly item?: K;
  /** Method called instead where an option --query is given. */
  readonly search?: Method<DescMessage, DescMessage>;
  /** Heading and cell of each column. */
  readonly columns?: Readonly<Record<string, Cell<Item<O, K>, N>>>;
  /** The columns of its CSV: with an option --csv where it has one, else unless --json is given. */
  readonly csv?: readonly CsvColumn<ListItem<MessageJsonType<O>>>[];
  /** Lines shown where the columns do not say it. */
  readonly text?: (items: readonly Item<O, K>[], session: Session, given: Given<P, F>) => Lines | Promise<Lines>;
  /** Names that cells show in place of ids. */
  readonly names?: (session: Session, items: readonly Item<O, K>[]) => Promise<N>;
}

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;
type Named<T> = Exclude<keyof T, 'expanded'>;

/** The reply, or its member where it has one alone and that is a message. */
type Sole<T> =
  IsUnion<Named<T>> extends false
    ? NonNullable<T[Named<T>]> extends readonly unknown[] | string | number | boolean
      ? T
      : NonNullable<T[Named<T>]>
    : T;

interface CallTable<I extends DescMessage, O extends DescMessage, P, F, A> extends RequestTable<I, O, P, F> {
  /** Part of the reply to show and print with --json, where it is not all of it. */
  readonly pick?: (reply: Sole<MessageJsonType<O>>) => A;
  /** Value printed with --json, where it is not that. */
  readonly json?: (shown: A, given: Given<P, F>) => unknown;
  readonly text: (shown: A, given: Given<P, F>, session: Session) => Lines | Promise<Lines>;
}

/** A group of commands, or the program itself. */
export class Commands {
  readonly parent: Command;
  readonly io: CommandIo;

  constructor(parent: Command, io: CommandIo) {
    this.parent = parent;
    this.io = io;
  }

  /** A group within this one. */
  group(name: string, description: string): Commands {
    return new Commands(this.parent.command(name).description(description), this.io);
  }

  /** A command that lists the items of all pages, of so many at most as an option `--limit` says. */
  list<
    I extends DescMessage,
    O extends DescMessage,
    const P extends OperandTable,
    const F extends OptionTable,
    K extends keyof ListItem<MessageJsonType<O>> & string = never,
    N = undefined,
  >(name: string, table: ListTable<I, O, P, F, K, N>): void {
    const { method, search, item, columns = {}, names, csv } = table;
    this.run(name, {
      ...table,
      act: async (given, session) => {
        const most = readLimit(given);
        const called = 'query' in given && search !== undefined ? (search as typeof method) : method;
        const request: unknown = {
          pageSize: Math.min(most, 100),
          ...((await fill({ ...table, method: called }, given, session)) as object),
        };
        const pages = session.client.pages(called, request as MessageJsonType<I>);
        if (csv !== undefined && ('--csv' in (table.options ?? {}) ? 'csv' in given : given.json !== true)) {
          return printCsv(session.io, pages, csv);
        }
        const views = await listAll(pages, most);
        const found = views.flatMap((one) => (item === undefined ? one : (one[item as keyof typeof one] ?? []))) as Item<O, K>[];
        const rows = async () =>
          tableCells(itemOf(descriptorOf(method), item), Object.values(columns), found, (await names?.(session, found)) as N);
        return {
          json: found,
          text: async () => table.text?.(found, session, given) ?? formatRows(Object.keys(columns), await rows()),
        };
      },
    });
  }

  /** A command that sends one request and shows the reply. */
  call<
    I extends DescMessage,
    O extends DescMessage,
    const P extends OperandTable,
    const F extends OptionTable,
    A = Sole<MessageJsonType<O>>,
  >(name: string, table: CallTable<I, O, P, F, A>): void {
    const { method, pick, json, text } = table;
    this.run(name, {
      ...table,
      act: async (given, session) => {
        const request = (await fill(table, given, session)) as MessageJsonType<I>;
        const reply = soleOf(descriptorOf(method), await session.client.call(method, request)) as Sole<MessageJsonType<O>>;
        const shown = pick === undefined ? (reply as A) : pick(reply);
        return { json: json === undefined ? shown : json(shown, given), text: () => text(shown, given, session) };
      },
    });
  }

  /** Any other command. */
  run<const P extends OperandTable, const F extends OptionTable>(
    name: string,
    { description, operands, options, shared = withConnection, act }: ActTable<P, F>,
  ): void {
    const { io } = this;
    const command = shared(this.parent.command(name).description(description));
    addGiven(command, operands ?? {}, options ?? {});
    command.action(async (...values: unknown[]) => {
      const typed = Object.keys(operands ?? {}).map((operand, at) => [nameIn(operand), values[at]]);
      const given = { ...command.opts(), ...Object.fromEntries(typed) } as Given<P, F>;
      refuseMissing(given, options ?? {});
      let made: Client | undefined;
      const answer = await act(given, {
        io,
        get client() {
          made ??= connect(io, given);
          return made;
        },
      });
      if (answer !== undefined) {
        await show(io, given.json === true, answer);
      }
    });
  }
}

/** Prints an answer; CommandFailure where it holds one. */
async function show(io: CommandIo, asJson: boolean, { json, text, failure, exitCode }: Answer): Promise<void> {
  if (asJson) {
    writeJson(io.stdout, json);
  } else {
    const lines = typeof text === 'function' ? await text() : text;
    writeLines(io.stdout, ...(typeof lines === 'string' ? [lines] : lines));
  }
  if (failure !== undefined) {
    throw new CommandFailure(failure, exitCode);
  }
}

function refuseMissing(given: object, options: OptionTable): void {
  for (const [flags, said] of Object.entries(options)) {
    const { otherwise } = detailOf(said);
    if (otherwise !== undefined && !(nameIn(flags) in given)) {
      throw otherwise();
    }
  }
}

async function fill<I extends DescMessage, O extends DescMessage, P extends OperandTable, F extends OptionTable>(
  table: RequestTable<I, O, P, F>,
  given: Given<P, F>,
  session: Session,
): Promise<MessageJsonType<I>> {
  const more = await table.request?.(given, session);
  const filled = await readRequest(descriptorOf(table.method), table, given as Readonly<Record<string, unknown>>, session);
  return { ...filled, ...(more as JsonObject | undefined) } as MessageJsonType<I>;
}

/** The number that --limit holds; all there are where the command has none. */
export function readLimit(given: object): number {
  const limit = 'limit' in given ? Number(given.limit) : Number.POSITIVE_INFINITY;
  if (limit < 1 || (Number.isFinite(limit) && !Number.isInteger(limit)) || Number.isNaN(limit)) {
    throw new UsageError('--limit must be a whole number from 1 on');
  }
  return limit;
}

/** The message that is shown of each item of a list. */
function itemOf({ output }: DescMethod, item: string | undefined): DescMessage {
  const list = output.fields.find(({ jsonName }) => jsonName === 'list')?.message;
  const shown = item === undefined ? list : list?.fields.find(({ jsonName }) => jsonName === item)?.message;
  if (shown === undefined) {
    throw new TypeError(`${output.typeName} lists no messages`);
  }
  return shown;
}

function soleOf({ output }: DescMethod, reply: unknown): unknown {
  const [sole, ...others] = output.fields.filter(({ name }) => name !== 'expanded');
  return sole?.fieldKind === 'message' && others.length === 0 ? ((reply as JsonObject)[sole.jsonName] ?? {}) : reply;
}

/** Rows under headings, or that there are none. */
export function formatRows(headings: readonly string[], rows: readonly string[][]): string {
  return rows.length === 0 ? 'None.' : formatTable(headings, rows);
}

/** Facts below each other, their values aligned; one without a value is left out. */
export function formatFacts(facts: Readonly<Record<string, string | undefined>>, minWidth = 0): string[] {
  const width = Math.max(minWidth, ...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(width)}  ${showHidden(value)}`]));
}
