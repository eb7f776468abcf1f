/**
 * The values of expressions: JavaScript's null, boolean, bigint (int), number (double), string and array (list), Map (map), and the classes
 * here. An error is a value too (Failure), so that && and || can absorb it.
 */
import { type ObjectName, objectFields } from './objects.ts';
import type { Type } from './types.ts';

/** A moment, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A length of time, in nanoseconds. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value: what type(x) gives. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Reason an evaluation has no value. */
export class Failure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Placeholder for a function's answer that is not loaded yet. */
export const pending: Failure = new Failure('not loaded yet');

/** A value of an expression, not an error. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Timestamp
  | Duration
  | TypeValue
  | CelObject
  | readonly Value[]
  | ReadonlyMap<Value, Value>;

/** A value or an error. */
export type Result = Value | Failure;

/** A person, an account, an entitlement or a task: its fields are read only when an expression asks for them. */
export class CelObject {
  readonly name: ObjectName;
  private readonly given: Readonly<Record<string, unknown>>;
  private readonly read = new Map<string, Value>();

  constructor(name: ObjectName, given: Readonly<Record<string, unknown>>) {
    this.name = name;
    this.given = given;
  }

  /** The field, by its camelCase name. An absent text is empty; an absent list or map has nothing in it. */
  get(field: string): Value {
    let value = this.read.get(field);
    if (value === undefined) {
      const { type, prefix, alias } = objectFields[this.name][field] ?? { type: { kind: 'null' } as Type };
      value = fieldValue(this.given[alias ?? field], type, prefix);
      this.read.set(field, value);
    }
    return value;
  }

  /** Distinguishes this object from others of its kind. */
  get id(): string {
    return String(this.given['id'] ?? '');
  }
}

/** Reads a field's given value as one of its type; `prefix` is what an enum's name begins with, and what is given lacks. */
function fieldValue(given: unknown, type: Type, prefix = ''): Value {
  switch (type.kind) {
    case 'string':
      return typeof given === 'string' ? (given === '' || given.startsWith(prefix) ? given : `${prefix}${given}`) : '';
    case 'bool':
      return given === true;
    case 'list':
      return Array.isArray(given) ? given.map((item) => (item instanceof CelObject ? item : fromJson(item))) : [];
    case 'map':
      return typeof given === 'object' && given !== null ? fromJson(given) : new Map();
    case 'object':
      return given instanceof CelObject
        ? given
        : typeof given === 'object' && given !== null
          ? new CelObject(type.name, given as Record<string, unknown>)
          : null;
    case 'timestamp':
      return given instanceof Date ? fromDate(given) : null;
    case 'duration':
      return typeof given === 'bigint' ? new Duration(given) : null;
    default:
      return null;
  }
}

/** A moment of JavaScript as a value. */
export function fromDate(date: Date): Timestamp {
  return new Timestamp(BigInt(date.getTime()) * 1_000_000n);
}

/** JSON as a value: numbers are doubles, members of objects that are null are absent. */
export function fromJson(json: unknown): Value {
  if (Array.isArray(json)) {
    return json.map(fromJson);
  }
  if (typeof json === 'object' && json !== null) {
    return new Map(
      Object.entries(json)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([key, value]) => [key, fromJson(value)]),
    );
  }
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean' ? json : null;
}

/** True if two values are equal: numbers across their types, values of other types never. */
export function areEqual(left: Value, right: Value): boolean {
  if (left === right) {
    return true;
  }
  const isNumber = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(left) && isNumber(right)) {
    // biome-ignore lint/suspicious/noDoubleEquals: the only comparison of JavaScript that compares int and double exactly.
    return left == right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => areEqual(item, right[at]));
  }
  if (left instanceof Map && right instanceof Map) {
    return left.size === right.size && [...left].every(([key, value]) => right.has(key) && areEqual(value, right.get(key)));
  }
  if ((left instanceof Timestamp && right instanceof Timestamp) || (left instanceof Duration && right instanceof Duration)) {
    return left.nanos === right.nanos;
  }
  if (left instanceof TypeValue && right instanceof TypeValue) {
    return left.name === right.name;
  }
  return left instanceof CelObject && right instanceof CelObject && left.name === right.name && left.id === right.id;
}

/** Rank of a UTF-16 unit among those of other texts when these are ordered by their UTF-8 bytes: surrogates come last. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Texts in the order of their bytes in UTF-8, as PostgreSQL's COLLATE "C": negative, zero or positive. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = left.charCodeAt(at) - right.charCodeAt(at);
    if (difference !== 0) {
      return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
    }
  }
  return left.length - right.length;
}

/** The name of a value's type, as type(x) gives and messages say it. */
export function valueTypeName(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
  }
  if (value === null) {
    return 'null_type';
  }
  if (value instanceof Timestamp) {
    return 'google.protobuf.Timestamp';
  }
  if (value instanceof Duration) {
    return 'google.protobuf.Duration';
  }
  if (value instanceof TypeValue) {
    return 'type';
  }
  return value instanceof CelObject ? value.name : Array.isArray(value) ? 'list' : 'map';
}
