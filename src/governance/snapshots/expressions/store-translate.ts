/**
 * Expressions as SQL over people, accounts, entitlements and what an item is. NULL is an error, so that && and || absorb errors as they do
 * elsewhere. What has no translation is evaluated outside of the database; both ways select the same. Statements are in the other stores.
 */
import type { Context } from '../../../context.ts';
import type { Expression } from '../../../lib/cel/compile.ts';
import type { Node } from '../../../lib/cel/node.ts';
import { allSql, anyOf, fixed, type Sql, sql } from '../../../lib/sql.ts';
import {
  getArraySql,
  getColumn,
  getItems,
  getPresenceSql,
  hasOnlyStorable,
  type Item,
  livePlaces,
  type Piece,
  type Places,
  getWherePresent,
} from './store-translate-columns.ts';
import { getConstant, hasConstantValue } from './store-translate-constants.ts';
import { getComparison, getMembership } from './store-translate-compare.ts';
import { getAnswer } from './store-translate-answers.ts';

/** Items of a list that is gone through. */
const maxItems = 100;

/** The letters that lowerAscii() and upperAscii() know. */
const [lower, upper] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The layouts that the database reads times by. */
const layouts: Readonly<Record<string, string>> = {
  '2006-01-02T15:04:05Z07:00': 'RFC3339',
  '2006-01-02 15:04:05': 'DATETIME',
  '2006-01-02': 'DATE',
};

/** Terms of translating an expression: where its columns stand, and which of its parts are known already. */
export interface Translating {
  readonly places: Places;
  /** A part that is a bool and was evaluated before, as SQL that is true, false, or NULL for an error; undefined for any other part. */
  readonly getKnown?: (node: Node) => Sql | undefined;
  /** The inventory may have changed since the snapshot: it is not asked. */
  readonly isLater?: boolean;
}

/** The tenant, and the moment that `now` is in an expression. */
type TranslationContext = Pick<Context, 'tenantId' | 'now'>;

/** The expression as SQL that is true, false, or NULL for an error; undefined where the database cannot evaluate it. */
export function getTranslationSql(
  context: TranslationContext,
  { node }: Pick<Expression, 'node'>,
  by: Translating = { places: livePlaces },
): Sql | undefined {
  return new Translation(context, by).findBool(node)?.sql;
}

class Translation {
  private readonly context: TranslationContext;
  private readonly places: Places;
  private readonly by: Translating;
  private readonly locals: Piece[] = [];

  constructor(context: TranslationContext, by: Translating) {
    this.context = context;
    this.places = by.places;
    this.by = by;
  }

  /** The piece of a node; undefined where it has none, or becomes too long: some pieces name their parts twice. */
  find(node: Node): Piece | undefined {
    const piece = node.type.kind === 'bool' ? this.findBool(node) : this.findPiece(node);
    return piece === undefined || isLong(piece.sql) ? undefined : piece;
  }

  findBool(node: Node): Piece | undefined {
    const known = hasConstantValue(node) ? undefined : this.by.getKnown?.(node);
    const piece = known === undefined ? this.findPiece(node) : { kind: 'bool' as const, sql: known };
    return piece && asBool(piece);
  }

  private findPiece(node: Node): Piece | undefined {
    if (hasConstantValue(node)) {
      return getConstant(this.context.now, node);
    }
    switch (node.op) {
      case 'local':
        return this.locals[node.slot];
      case 'field':
        return getColumn(this.places, node);
      case 'item':
        return this.findKey(node.of, node.key);
      case 'has':
        return this.findPresence(node.of, node.key);
      case 'and':
      case 'or':
        return this.findChain(node.parts, node.op);
      case 'choice':
        return this.findChoice(node);
      case 'call':
        return this.findCall(node.name, node.args);
      case 'ask':
        return this.findAnswer(node);
      case 'macro':
        return this.findMacro(node);
      default:
        return undefined;
    }
  }

  private findAnswer(node: Node & { readonly op: 'ask' }): Piece | undefined {
    const piece = this.by.isLater === true ? undefined : getAnswer(this.context, node, this.places.person);
    return piece && getWherePresent(this.places, 'User', piece);
  }

  private findText(node: Node | undefined): Sql | undefined {
    const piece = node && this.find(node);
    return piece && asText(piece)?.sql;
  }

  private findKey(of: Node, key: Node): Piece | undefined {
    if (key.op !== 'literal' || typeof key.value !== 'string' || !hasOnlyStorable(key.value)) {
      return undefined;
    }
    const within = isProfile(of) ? getColumn(this.places, of) : of.op === 'item' ? this.find(of) : undefined;
    return within?.kind === 'json' ? { kind: 'json', sql: sql`nullif(${within.sql} -> ${key.value}::text, 'null')` } : undefined;
  }

  private findPresence(of: Node, key: string): Piece | undefined {
    if (isProfile(of)) {
      const profile = getColumn(this.places, of);
      const has = profile && hasOnlyStorable(key) && sql`coalesce(jsonb_typeof(${profile.sql} -> ${key}::text) <> 'null', false)`;
      return has ? getWherePresent(this.places, of.object, { kind: 'bool', sql: has }) : undefined;
    }
    const { type } = of;
    const column =
      of.op === 'variable' && type.kind === 'object' ? getColumn(this.places, { object: type.name, field: key, of }) : undefined;
    return column?.kind === 'text' ? { kind: 'bool', sql: sql`(${column.sql} <> '')` } : undefined;
  }

  private findChain(parts: readonly Node[], op: 'and' | 'or'): Piece | undefined {
    const pieces = parts.map((part) => this.findBool(part)?.sql);
    const all = pieces.filter((piece) => piece !== undefined);
    if (all.length < pieces.length) {
      return undefined;
    }
    return { kind: 'bool', sql: op === 'and' ? sql`(${allSql(all)})` : anyOf(all) };
  }

  private findChoice(node: Node & { readonly op: 'choice' }): Piece | undefined {
    const [condition, yes, no] = [this.findBool(node.condition), this.find(node.yes), this.find(node.no)];
    if (condition === undefined || yes === undefined || no === undefined || yes.kind !== no.kind || yes.isOptional || no.isOptional) {
      return undefined;
    }
    // The types say whether nanoseconds are a moment or a duration.
    if (yes.kind === 'nanos' && node.type.kind !== 'timestamp' && node.type.kind !== 'duration') {
      return undefined;
    }
    const isDuration = node.type.kind === 'duration';
    return {
      kind: yes.kind,
      isDuration,
      sql: sql`CASE WHEN ${condition.sql} THEN ${yes.sql} WHEN NOT ${condition.sql} THEN ${no.sql} END`,
    };
  }

  private findCall(name: string, args: readonly Node[]): Piece | undefined {
    if (name === '!_') {
      const of = this.findBool(args[0]!);
      return of && { kind: 'bool', sql: sql`(NOT ${of.sql})` };
    }
    if (name === '@in') {
      return this.findMembership(args[0]!, args[1]!);
    }
    if (/^_(==|!=|<|<=|>|>=)_$/.test(name)) {
      const isThere = this.findWhetherThere(name, args);
      if (isThere !== undefined) {
        return isThere;
      }
      const [left, right] = [this.find(args[0]!), this.find(args[1]!)];
      return left && right && getComparison(name.replaceAll('_', ''), left, right);
    }
    if (name === 'int' && args[0]!.type.kind === 'dyn') {
      const value = this.find(args[0]!);
      return value?.kind === 'json' ? { kind: 'int', sql: sql`expression_int(${value.sql})` } : undefined;
    }
    return this.findTextCall(name, args);
  }

  /** Tests if there is a person or an account at all. */
  private findWhetherThere(name: string, args: readonly Node[]): Piece | undefined {
    const [named, none] = args[0]?.op === 'literal' ? [args[1], args[0]] : args;
    if (named?.op !== 'variable' || named.type.kind !== 'object' || none?.op !== 'literal' || none.value !== null) {
      return undefined;
    }
    const presence = getPresenceSql(this.places, named.type.name) ?? fixed('true');
    return { kind: 'bool', sql: name === '_!=_' ? presence : sql`(NOT ${presence})` };
  }

  private findTextCall(name: string, args: readonly Node[]): Piece | undefined {
    const text = this.findText(args[0]);
    if (text === undefined) {
      return undefined;
    }
    switch (name) {
      case 'size':
        return args[0]!.type.kind === 'string' ? { kind: 'int', sql: sql`length(${text})::bigint` } : undefined;
      case 'int':
        return { kind: 'int', sql: sql`expression_int(${text})` };
      case 'timestamp':
        return { kind: 'nanos', sql: sql`expression_moment(${text}, 'RFC3339')` };
      case 'lowerAscii':
        return { kind: 'text', sql: sql`translate(${text}, ${upper}::text, ${lower}::text)` };
      case 'upperAscii':
        return { kind: 'text', sql: sql`translate(${text}, ${lower}::text, ${upper}::text)` };
      case 'time.parse': {
        const layout = args[1]?.op === 'literal' ? layouts[String(args[1].value)] : undefined;
        return layout === undefined || args.length !== 2
          ? undefined
          : { kind: 'nanos', sql: sql`expression_moment(${text}, ${layout}::text)` };
      }
      case 'matches':
        return args[1]?.op === 'literal' ? matching(text, String(args[1].value)) : undefined;
      default:
        return this.findTwoTexts(name, text, this.findText(args[1]));
    }
  }

  private findTwoTexts(name: string, text: Sql, other: Sql | undefined): Piece | undefined {
    if (other === undefined) {
      return undefined;
    }
    switch (name) {
      case 'contains':
        return { kind: 'bool', sql: containing(text, other) };
      case 'startsWith':
        return { kind: 'bool', sql: sql`starts_with(${text}, ${other})` };
      case 'endsWith':
        return { kind: 'bool', sql: sql`(right(${text}, length(${other})) = ${other})` };
      case 'ifEmpty':
        return { kind: 'text', sql: sql`CASE WHEN ${other} IS NULL THEN NULL WHEN ${text} = '' THEN ${other} ELSE ${text} END` };
      default:
        return undefined;
    }
  }

  private findItems(node: Node): readonly Item[] | undefined {
    if (node.op === 'list') {
      const items = node.items.map((item) => (hasConstantValue(item) ? this.find(item) : undefined));
      const all = items.filter((item) => item !== undefined && !item.mayFail);
      return all.length === items.length ? all.map((piece) => ({ piece: piece as Piece })) : undefined;
    }
    return node.op === 'field' && node.of.op === 'variable' ? getItems(this.places, node) : undefined;
  }

  private findMembership(value: Node, within: Node): Piece | undefined {
    const array = within.op === 'field' ? getArraySql(within) : undefined;
    if (isProfile(within)) {
      return value.op === 'literal' && typeof value.value === 'string' ? this.findPresence(within, value.value) : undefined;
    }
    const [piece, items] = [this.find(value), this.findItems(within)];
    if (array !== undefined) {
      return piece?.kind === 'text'
        ? { kind: 'bool', sql: sql`CASE WHEN ${piece.sql} IS NOT NULL THEN ${piece.sql} = ANY (${array}) END` }
        : undefined;
    }
    const membership = piece && items && getMembership(piece, items);
    return membership && this.whereThere(within, membership);
  }

  /** An error where there is no one to have the list. */
  private whereThere(list: Node, piece: Piece): Piece {
    return list.op === 'field' ? getWherePresent(this.places, list.object, piece) : piece;
  }

  private findMacro(node: Node & { readonly op: 'macro' }): Piece | undefined {
    const items = node.macro === 'all' || node.macro === 'exists' ? this.findItems(node.range) : undefined;
    if (items === undefined || items.length > maxItems || node.test === undefined) {
      return undefined;
    }
    const answers: Sql[] = [];
    for (const { piece, when } of items) {
      this.locals[node.slot] = piece;
      const answer = this.findBool(node.test)?.sql;
      if (answer === undefined) {
        return undefined;
      }
      answers.push(when === undefined ? answer : node.macro === 'all' ? sql`(NOT ${when} OR ${answer})` : sql`(${when} AND ${answer})`);
    }
    return this.whereThere(node.range, { kind: 'bool', sql: node.macro === 'all' ? sql`(${allSql(answers)})` : anyOf(answers) });
  }
}

/** True if a node is the profile of a person or an account. */
function isProfile(node: Node): node is Node & { readonly op: 'field' } {
  return node.op === 'field' && node.field === 'profile' && node.of.op === 'variable';
}

/** Statements beyond these sizes cost more to plan than they save. */
const [mostPieces, mostLetters] = [4_000, 60_000];

function isLong({ strings }: Sql): boolean {
  return strings.length > mostPieces || strings.reduce((sum, text) => sum + text.length, 0) > mostLetters;
}

function asBool({ kind, sql: it, ...rest }: Piece): Piece | undefined {
  if (kind === 'json') {
    return { kind: 'bool', sql: sql`CASE WHEN jsonb_typeof(${it}) = 'boolean' THEN ${it} = 'true' END` };
  }
  return kind === 'bool' ? { kind, sql: it, ...rest } : undefined;
}

function asText({ kind, sql: it, ...rest }: Piece): Piece | undefined {
  if (kind === 'json') {
    return { kind: 'text', sql: sql`CASE WHEN jsonb_typeof(${it}) = 'string' THEN (${it} #>> '{}') COLLATE "C" END` };
  }
  return kind === 'text' ? { kind, sql: it, ...rest } : undefined;
}

const containing = (text: Sql, part: Sql): Sql => sql`(strpos(${text}, ${part}) > 0)`;

/** A pattern of plain letters, with or without the signs of beginning and end. */
function matching(text: Sql, pattern: string): Piece | undefined {
  const plain = /^(\^?)([^\\.+*?()|[\]{}^$]*)(\$?)$/u.exec(pattern);
  if (plain === null || !hasOnlyStorable(pattern)) {
    return undefined;
  }
  const letters = sql`(${plain[2]}::text COLLATE "C")`;
  const [isStart, isEnd] = [plain[1] !== '', plain[3] !== ''];
  if (isStart && isEnd) {
    return { kind: 'bool', sql: sql`(${text} = ${letters})` };
  }
  return {
    kind: 'bool',
    sql: isStart
      ? sql`starts_with(${text}, ${letters})`
      : isEnd
        ? sql`(right(${text}, length(${letters})) = ${letters})`
        : containing(text, letters),
  };
}
