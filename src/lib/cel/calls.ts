/** The functions and operators whose answers depend on their arguments alone: which arguments each takes, and what it gives. */
import { boolType, doubleType, durationType, dynType, intType, listOf, stringType, timestampType, type Type, typeType } from './types.ts';

/** One way to call a function. */
export interface Overload {
  readonly takes: readonly Type[];
  readonly gives: Type;
}

const of = (gives: Type, ...takes: readonly Type[]): Overload => ({ takes, gives });
const texts = listOf(stringType);
const anyList = listOf(dynType);
const anyMap: Type = { kind: 'map', of: dynType };

const ordered = [intType, doubleType, stringType, boolType, timestampType, durationType];
const order: readonly Overload[] = [
  ...ordered.map((type) => of(boolType, type, type)),
  of(boolType, intType, doubleType),
  of(boolType, doubleType, intType),
];
const component = [of(intType, timestampType), of(intType, timestampType, stringType)];
const numbers = [of(intType, intType, intType), of(doubleType, doubleType, doubleType)];

/** Operators, by the names that the parser gives them. */
export const operators = {
  '!_': [of(boolType, boolType)],
  '_==_': [of(boolType, dynType, dynType)],
  '_!=_': [of(boolType, dynType, dynType)],
  '_<_': order,
  '_<=_': order,
  '_>_': order,
  '_>=_': order,
  '@in': [of(boolType, dynType, anyList), of(boolType, dynType, anyMap)],
  '_+_': [
    ...numbers,
    of(stringType, stringType, stringType),
    of(anyList, anyList, anyList),
    of(timestampType, timestampType, durationType),
    of(timestampType, durationType, timestampType),
    of(durationType, durationType, durationType),
  ],
  '_-_': [
    ...numbers,
    of(durationType, timestampType, timestampType),
    of(timestampType, timestampType, durationType),
    of(durationType, durationType, durationType),
  ],
  '_*_': numbers,
  '_/_': numbers,
  '_%_': [of(intType, intType, intType)],
  '-_': [of(intType, intType), of(doubleType, doubleType)],
} satisfies Readonly<Record<string, readonly Overload[]>>;

/** Spelling of operators, for messages. */
export const operatorSigns: Readonly<Partial<Record<CallName, string>>> = {
  '!_': '!',
  '-_': '-',
  '@in': 'in',
};

/** Functions called by name: f(x). */
export const functions = {
  size: [of(intType, stringType), of(intType, anyList), of(intType, anyMap)],
  int: [of(intType, intType), of(intType, doubleType), of(intType, stringType), of(intType, timestampType)],
  double: [of(doubleType, intType), of(doubleType, doubleType), of(doubleType, stringType)],
  string: ordered.map((type) => of(stringType, type)),
  bool: [of(boolType, boolType), of(boolType, stringType)],
  timestamp: [of(timestampType, stringType), of(timestampType, intType), of(timestampType, timestampType)],
  duration: [of(durationType, stringType), of(durationType, intType), of(durationType, durationType)],
  dyn: [of(dynType, dynType)],
  type: [of(typeType, dynType)],
  ifEmpty: [of(stringType, stringType, stringType)],
  'time.parse': [of(timestampType, stringType, stringType), of(timestampType, stringType, stringType, stringType)],
  'time.format': [of(stringType, timestampType, stringType), of(stringType, timestampType, stringType, stringType)],
  'time.unix': [of(intType, timestampType), of(timestampType, intType)],
  'time.unix_ms': [of(intType, timestampType), of(timestampType, intType)],
  'time.start_of': [of(timestampType, timestampType, stringType), of(timestampType, timestampType, stringType, stringType)],
  'time.end_of': [of(timestampType, timestampType, stringType), of(timestampType, timestampType, stringType, stringType)],
} satisfies Readonly<Record<string, readonly Overload[]>>;

/** Functions called on a value: x.f(y). The value is the first that `takes` names. */
export const methods = {
  size: functions.size,
  contains: [of(boolType, stringType, stringType)],
  startsWith: [of(boolType, stringType, stringType)],
  endsWith: [of(boolType, stringType, stringType)],
  matches: [of(boolType, stringType, stringType)],
  lowerAscii: [of(stringType, stringType)],
  upperAscii: [of(stringType, stringType)],
  ifEmpty: functions.ifEmpty,
  trim: [of(stringType, stringType)],
  charAt: [of(stringType, stringType, intType)],
  indexOf: [of(intType, stringType, stringType), of(intType, stringType, stringType, intType)],
  replace: [of(stringType, stringType, stringType, stringType), of(stringType, stringType, stringType, stringType, intType)],
  split: [of(texts, stringType, stringType), of(texts, stringType, stringType, intType)],
  substring: [of(stringType, stringType, intType), of(stringType, stringType, intType, intType)],
  join: [of(stringType, texts), of(stringType, texts, stringType)],
  getFullYear: component,
  getMonth: component,
  getDate: component,
  getDayOfMonth: component,
  getDayOfWeek: component,
  getDayOfYear: component,
  getHours: [...component, of(intType, durationType)],
  getMinutes: [...component, of(intType, durationType)],
  getSeconds: [...component, of(intType, durationType)],
  getMilliseconds: [...component, of(intType, durationType)],
} satisfies Readonly<Record<string, readonly Overload[]>>;

/** An operator, function or method. */
export type CallName = keyof typeof operators | keyof typeof functions | keyof typeof methods;

/** True if a table has an entry of this name. */
export function isIn<Table extends object>(table: Table, name: PropertyKey): name is keyof Table {
  return Object.hasOwn(table, name);
}

/** Layouts of times by name: TimeFormat.DATE. They are Go's, written for the reference time. */
export const timeFormats = {
  RFC3339: '2006-01-02T15:04:05Z07:00',
  ISO8601: '2006-01-02T15:04:05Z07:00',
  RFC3339_NANO: '2006-01-02T15:04:05.999999999Z07:00',
  DATETIME: '2006-01-02 15:04:05',
  DATE: '2006-01-02',
  TIME: '15:04:05',
} satisfies Readonly<Record<string, string>>;
