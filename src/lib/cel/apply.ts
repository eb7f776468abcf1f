/** Applies operators, conversions, and every other function whose answer depends on its arguments alone. */
import { type CallName, functions, isIn, methods, type Overload, operatorSigns, operators } from './calls.ts';
import { formatTime } from './layouts.ts';
import { type Apply, textFunctions } from './text-functions.ts';
import { addTimes, duration, moment, parseDuration, parseTimestamp, timeFunctions } from './time-functions.ts';
import type { Type } from './types.ts';
import {
  areEqual,
  CelObject,
  compareTexts,
  Duration,
  Failure,
  type Result,
  Timestamp,
  TypeValue,
  valueTypeName,
  type Value,
} from './values.ts';
import type { Work } from './work.ts';

const least = -(1n << 63n);
const most = (1n << 63n) - 1n;

const int = (value: bigint): Result => (value < least || value > most ? new Failure('this number is too large for an int') : value);

/** Below zero, zero or above, or undefined for values that have no order, NaN among them. */
function compare(left: Value, right: Value): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    return compareTexts(left, right);
  }
  const [a, b] = [rankOf(left), rankOf(right)];
  return a === undefined || b === undefined ? undefined : a < b ? -1 : a > b ? 1 : a >= b ? 0 : Number.NaN;
}

function rankOf(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  return typeof value === 'boolean' ? Number(value) : value instanceof Timestamp || value instanceof Duration ? value.nanos : undefined;
}

type Arithmetic = '_+_' | '_-_' | '_*_' | '_/_' | '_%_';

function arithmetic(name: Arithmetic, left: Value, right: Value, work: Work): Result | undefined {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if ((name === '_/_' || name === '_%_') && right === 0n) {
      return new Failure('division by zero');
    }
    return int(
      name === '_+_'
        ? left + right
        : name === '_-_'
          ? left - right
          : name === '_*_'
            ? left * right
            : name === '_/_'
              ? left / right
              : left % right,
    );
  }
  if (typeof left === 'number' && typeof right === 'number' && name !== '_%_') {
    return name === '_+_' ? left + right : name === '_-_' ? left - right : name === '_*_' ? left * right : left / right;
  }
  if (name === '_+_') {
    if (typeof left === 'string' && typeof right === 'string') {
      return work.text(left + right);
    }
    if (Array.isArray(left) && Array.isArray(right)) {
      work.spend(left.length + right.length);
      return work.list([...left, ...right]);
    }
  }
  return name === '_+_' ? addTimes(left, right, 1n) : name === '_-_' ? addTimes(left, right, -1n) : undefined;
}

function toInt(value: Value): Result {
  if (typeof value === 'number') {
    return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : new Failure('this number is too large for an int');
  }
  if (typeof value === 'string') {
    return /^[+-]?\d{1,30}$/.test(value) ? int(BigInt(value.replace('+', ''))) : new Failure('this text is no whole number');
  }
  return value instanceof Timestamp ? timeFunctions['time.unix']({} as Work, [value]) : value;
}

function toDouble(value: Value): Result {
  if (typeof value === 'string') {
    return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value) ? Number(value) : new Failure('this text is no number');
  }
  return Number(value);
}

function toText(value: Value): Result {
  if (value instanceof Timestamp) {
    return formatTime(value.nanos, '2006-01-02T15:04:05.999999999Z07:00', 'UTC') ?? new Failure('this moment cannot be written');
  }
  if (value instanceof Duration) {
    const [size, sign] = value.nanos < 0n ? [-value.nanos, '-'] : [value.nanos, ''];
    const fraction = String(size % 1_000_000_000n)
      .padStart(9, '0')
      .replace(/0+$/, '');
    return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
  }
  return String(value);
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  TRUE: true,
  t: true,
  1: true,
  false: false,
  False: false,
  FALSE: false,
  f: false,
  0: false,
};

function sizeOf(value: Value): bigint {
  if (typeof value === 'string') {
    let size = value.length;
    for (let at = 1; at < value.length; at++) {
      size -= (value.charCodeAt(at) & 0xfc00) === 0xdc00 && (value.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? 1 : 0;
    }
    return BigInt(size);
  }
  return BigInt(Array.isArray(value) ? value.length : (value as ReadonlyMap<Value, Value>).size);
}

/** An item of a list or a map, or an error. Keys of maps that are numbers may be int or double. */
export function getItem(of: Value, key: Value): Result {
  if (Array.isArray(of)) {
    const index = typeof key === 'bigint' ? Number(key) : key;
    return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < of.length
      ? of[index]
      : new Failure('the list has no such item');
  }
  if (of instanceof Map) {
    const found = of.get(typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key);
    return found === undefined ? new Failure(`there is no ${typeof key === 'string' ? key.slice(0, 100) : 'such key'}`) : found;
  }
  return new Failure(`${valueTypeName(of)} has no items`);
}

function contains(work: Work, value: Value, within: Value): Result | undefined {
  if (Array.isArray(within)) {
    work.spend(within.length);
    return within.some((item) => areEqual(item, value));
  }
  return within instanceof Map ? !(getItem(within, value) instanceof Failure) : undefined;
}

const ordering = {
  '_<_': (difference) => difference < 0,
  '_<=_': (difference) => difference <= 0,
  '_>_': (difference) => difference > 0,
  '_>=_': (difference) => difference >= 0,
} satisfies Partial<Record<CallName, (difference: number) => boolean>>;

const plain = {
  '!_': (value) => value !== true,
  '-_': (value) => (typeof value === 'bigint' ? int(-value) : -(value as number)),
  size: sizeOf,
  int: toInt,
  double: toDouble,
  string: toText,
  bool: (value) => (typeof value === 'boolean' ? value : (truths[value as string] ?? new Failure('this text is neither true nor false'))),
  timestamp: (value) =>
    typeof value === 'string' ? parseTimestamp(value) : typeof value === 'bigint' ? moment(value * 1_000_000_000n) : value,
  duration: (value) =>
    typeof value === 'string' ? parseDuration(value) : typeof value === 'bigint' ? duration(value * 1_000_000_000n) : value,
  dyn: (value) => value,
  type: (value) => new TypeValue(valueTypeName(value)),
} satisfies Partial<Record<CallName, (value: Value) => Result>>;

/** True if a value is of a type that a table of functions names. */
function isOf(value: Value, { kind }: Type): boolean {
  switch (kind) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'list':
      return Array.isArray(value);
    case 'map':
      return value instanceof Map;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    default:
      return true;
  }
}

const accepts = ({ takes }: Overload, args: readonly Value[]): boolean =>
  takes.length === args.length && takes.every((type, index) => isOf(args[index]!, type));

/** The function or operator of this name, which takes only values of the types of its tables: anything else is an error. */
export function applied(name: CallName): Apply {
  const overloads: readonly Overload[] = isIn(operators, name) ? operators[name] : isIn(functions, name) ? functions[name] : methods[name];
  const call = calls[name];
  const shown = operatorSigns[name] ?? (name in operators ? name.replaceAll('_', '') : `${name}()`);
  return (work, args) => {
    if (!overloads.some((overload) => accepts(overload, args))) {
      return new Failure(`${shown} does not take ${args.map(valueTypeName).join(', ')}`);
    }
    return call(work, args) ?? new Failure(`${shown} does not take ${args.map(valueTypeName).join(', ')}`);
  };
}

type Call = (work: Work, args: readonly Value[]) => Result | undefined;

/** The functions that a table makes, by its names. */
function callsOf<Name extends string, Entry>(table: Readonly<Record<Name, Entry>>, make: (entry: Entry) => Call): Record<Name, Call> {
  return Object.fromEntries(Object.entries<Entry>(table).map(([name, entry]) => [name, make(entry)])) as Record<Name, Call>;
}

const equal =
  (wanted: boolean): Call =>
  (work, [left, right]) => {
    work.spend(weightOf(left!));
    return areEqual(left!, right!) === wanted;
  };

const reckon =
  (name: Arithmetic): Call =>
  (work, [left, right]) =>
    arithmetic(name, left!, right!, work);

/** All that may be called: one that is declared and not applied here does not compile. */
const calls: Readonly<Record<CallName, Call>> = {
  ...callsOf<keyof typeof plain, (value: Value) => Result>(plain, (own) => (work, [value]) => {
    work.spend(typeof value === 'string' ? value.length : 1);
    return own(value!);
  }),
  ...callsOf(ordering, (isRight) => (work, [left, right]) => {
    work.spend(typeof left === 'string' ? left.length : 1);
    const difference = compare(left!, right!);
    return difference === undefined ? undefined : isRight(difference);
  }),
  '_==_': equal(true),
  '_!=_': equal(false),
  '@in': (work, [value, within]) => contains(work, value!, within!),
  '_+_': reckon('_+_'),
  '_-_': reckon('_-_'),
  '_*_': reckon('_*_'),
  '_/_': reckon('_/_'),
  '_%_': reckon('_%_'),
  ...textFunctions,
  ...timeFunctions,
};

/** Bounds the work to compare a value. */
function weightOf(value: Value): number {
  if (typeof value === 'string') {
    return 1 + value.length / 16;
  }
  return Array.isArray(value) ? value.length : value instanceof Map && !(value instanceof CelObject) ? value.size : 1;
}
