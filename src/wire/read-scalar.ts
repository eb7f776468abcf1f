/**
 * Reading single values of a request: scalars, enums and the well-known types, each checked and brought into one spelling. Messages,
 * lists and maps are in read.ts.
 */
import { type DescEnum, type DescField, type DescMessage, getOption, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { empty_is_zero, prefix_optional } from '../gen/countersign/options_pb.js';
import type { FieldViolation } from '../errors.ts';
import { hasHiddenControl } from '../lib/names/visible-text.ts';
import { lowerCamel } from './names.ts';
import { isDuration, normalizeTimestamp } from './timestamps.ts';

/** A member that the contract does not know: its path, and the message it was in. */
export interface UnknownMember {
  readonly path: string;
  readonly desc: DescMessage;
}

/** Faults found so far in one request. */
export interface Reading {
  readonly violations: FieldViolation[];
  /** Most items of a list. */
  readonly maxItems: number;
  /** True if the request only looks for what is there: its names need not be good ones. */
  readonly onlyFinds?: boolean;
  /** True if a message of a type that is not ours was read. */
  hasUnknown?: boolean;
  /** Members that were left out because nothing has their name; at most `maxViolations`. */
  readonly unknown: UnknownMember[];
}

/** Reads one value at a path: the value in its one spelling, or undefined after adding what is wrong with it. */
export type ReadValue = (value: JsonValue, path: string, reading: Reading, depth: number) => JsonValue | undefined;

/** Deeper nesting than any message of the contract needs. */
export const maxDepth = 64;
/** A text this long is a mistake or an attack; imports do not come this way. */
const maxTextLength = 64 * 1024;
const maxFloat = 3.4028234663852886e38;

/** Adds a violation; for `return refuse(...)`. */
export function refuse(reading: Reading, field: string, description: string): undefined {
  reading.violations.push({ field, description });
  return undefined;
}

/** Returns a text's fault, or undefined. PostgreSQL can store neither NUL nor half a character. */
function findTextFault(text: string): string | undefined {
  if (text.length > maxTextLength) {
    return `is longer than ${maxTextLength} characters`;
  }
  if (text.includes('\0')) {
    return 'must not contain the NUL character';
  }
  return text.isWellFormed() ? undefined : 'is not well-formed Unicode (it contains half of a surrogate pair)';
}

/** Names of objects and senders stand in mails, logs and terminals, each on one line. */
const namePath = /(?:^|\.)(?:displayName|display_name|fromName|from_name)$/;

function findNameFault(text: string): string | undefined {
  return hasHiddenControl(text)
    ? 'must not contain line breaks, control characters, or characters that turn the direction of writing'
    : undefined;
}

const readText: ReadValue = (value, path, reading) => {
  if (typeof value !== 'string') {
    return refuse(reading, path, 'must be a string');
  }
  const fault = findTextFault(value) ?? (namePath.test(path) && reading.onlyFinds !== true ? findNameFault(value) : undefined);
  return fault === undefined ? value : refuse(reading, path, fault);
};

const readBool: ReadValue = (value, path, reading) => (typeof value === 'boolean' ? value : refuse(reading, path, 'must be true or false'));

const decimal = /^-?\d{1,40}$/;

function wholeNumberOf(value: JsonValue): bigint | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? BigInt(value) : undefined;
  }
  return typeof value === 'string' && decimal.test(value) ? BigInt(value) : undefined;
}

function makeReadInt32(min: number, max: number): ReadValue {
  return (value, path, reading) => {
    const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) {
      return refuse(reading, path, 'must be a whole number');
    }
    // + 0 turns -0 into 0.
    return number < min || number > max ? refuse(reading, path, `must be from ${min} to ${max}`) : number + 0;
  };
}

function makeReadInt64(min: bigint, max: bigint): ReadValue {
  return (value, path, reading) => {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return refuse(reading, path, 'must be a decimal string where it is beyond 2^53');
    }
    const number = wholeNumberOf(value);
    if (number === undefined) {
      return refuse(reading, path, 'must be a whole number, as a decimal string');
    }
    return number < min || number > max ? refuse(reading, path, `must be from ${min} to ${max}`) : number.toString();
  };
}

/** Any whole number: what is too small or too large is brought into the range later (10 to 100). */
const readPageSize: ReadValue = (value, path, reading) => {
  const number = wholeNumberOf(value);
  return number === undefined ? refuse(reading, path, 'must be a whole number') : Math.max(-1, Math.min(Number(number), 1_000_000));
};

function makeReadFloat(max: number): ReadValue {
  return (value, path, reading) => {
    const number = typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) {
      return refuse(reading, path, 'must be a number');
    }
    return Math.abs(number) > max ? refuse(reading, path, 'is out of range') : number;
  };
}

const readBytes: ReadValue = (value, path, reading) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(value) || value.replace(/=+$/, '').length % 4 === 1) {
    return refuse(reading, path, 'must be base64');
  }
  return value;
};

const readInt32 = makeReadInt32(-(2 ** 31), 2 ** 31 - 1);
const readUint32 = makeReadInt32(0, 2 ** 32 - 1);
const readInt64 = makeReadInt64(-(2n ** 63n), 2n ** 63n - 1n);
const readUint64 = makeReadInt64(0n, 2n ** 64n - 1n);

const scalarReaders: Readonly<Record<ScalarType, ReadValue>> = {
  [ScalarType.STRING]: readText,
  [ScalarType.BOOL]: readBool,
  [ScalarType.INT32]: readInt32,
  [ScalarType.SINT32]: readInt32,
  [ScalarType.SFIXED32]: readInt32,
  [ScalarType.UINT32]: readUint32,
  [ScalarType.FIXED32]: readUint32,
  [ScalarType.INT64]: readInt64,
  [ScalarType.SINT64]: readInt64,
  [ScalarType.SFIXED64]: readInt64,
  [ScalarType.UINT64]: readUint64,
  [ScalarType.FIXED64]: readUint64,
  [ScalarType.FLOAT]: makeReadFloat(maxFloat),
  [ScalarType.DOUBLE]: makeReadFloat(Number.MAX_VALUE),
  [ScalarType.BYTES]: readBytes,
};

/** The reader of a field's scalar type. */
export function scalarReader(field: DescField, scalar: ScalarType): ReadValue {
  if (field.name === 'page_size' && scalar === ScalarType.INT32) {
    return readPageSize;
  }
  const read = scalarReaders[scalar];
  return getOption(field, empty_is_zero) ? (value, ...rest) => read(value === '' ? '0' : value, ...rest) : read;
}

/** Names without a prefix (userCriteria.userStatus) are understood with that of their twin (inclusionScope.userStatuses) too. */
const twinPrefix = /^USER_/;

/** Shared start of all names, up to an underscore. */
function commonPrefix(names: readonly string[]): string {
  const [first = ''] = names;
  let length = first.length;
  while (length > 0 && !(first[length - 1] === '_' && names.every((name) => name.startsWith(first.slice(0, length))))) {
    length--;
  }
  return first.slice(0, length);
}

/** The reader of a field's enum: declared names and numbers, and where the contract says so names without their prefix. */
export function enumReader(field: DescField, desc: DescEnum): ReadValue {
  const names = new Set(desc.values.map((value) => value.name));
  const isPrefixOptional = getOption(field, prefix_optional);
  const known = desc.values.map((value) => value.name).join(', ');
  const prefix = commonPrefix([...names]);
  const findShort = (sent: string): string | undefined => {
    if (prefix === '') {
      const name = sent.replace(twinPrefix, '');
      return names.has(name) ? name : undefined;
    }
    // With a part of the prefix too (STATUS_ENABLED), as the same value is spelt elsewhere; never with anything else before it.
    return [...names].find((name) => name.endsWith(`_${sent}`) && sent.length >= name.length - prefix.length);
  };
  return (value, path, reading) => {
    if (typeof value === 'string') {
      const name = names.has(value) ? value : isPrefixOptional && value !== '' ? findShort(value) : undefined;
      return name ?? refuse(reading, path, `${quote(value)} is not one of ${known}`);
    }
    if (typeof value === 'number') {
      return desc.value[value]?.name ?? refuse(reading, path, `${value} is not a value of ${desc.name}`);
    }
    return refuse(reading, path, `must be one of ${known}`);
  };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text.toWellFormed());
}

const readTimestamp: ReadValue = (value, path, reading) => {
  const time = typeof value === 'string' ? normalizeTimestamp(value) : undefined;
  return time ?? refuse(reading, path, 'must be an RFC 3339 time with a zone, such as 2026-01-31T12:00:00Z');
};

const readDuration: ReadValue = (value, path, reading) =>
  typeof value === 'string' && isDuration(value) ? value : refuse(reading, path, 'must be a duration in seconds, such as "3600s"');

const maskPath = /^(?:\*|[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)$/;

const readFieldMask: ReadValue = (value, path, reading) => {
  if (typeof value !== 'string') {
    return refuse(reading, path, 'must be a string of field paths separated by commas');
  }
  const paths = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const wrong = paths.find((one) => !maskPath.test(one));
  if (wrong !== undefined) {
    return refuse(reading, path, `${quote(wrong)} is not a field path`);
  }
  return [...new Set(paths.map(lowerCamel))].join(',');
};

/** Free-form JSON: kept as it is, nulls too, but nothing in it may be what cannot be stored. */
const readFree: ReadValue = (value, path, reading, depth) => {
  if (depth > maxDepth) {
    return refuse(reading, path, `is nested deeper than ${maxDepth} levels`);
  }
  if (typeof value === 'string') {
    return readText(value, path, reading, depth);
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => void readFree(item, `${path}[${index}]`, reading, depth + 1));
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const fault = findKeyFault(key);
      if (fault !== undefined) {
        refuse(reading, path, fault);
      }
      readFree(value[key] as JsonValue, `${path}.${key}`, reading, depth + 1);
    }
  }
  return value;
};

/** Returns the fault of a key that the client made up, or undefined. */
export function findKeyFault(key: string): string | undefined {
  if (key === '__proto__') {
    return 'must not have the key "__proto__"';
  }
  const fault = findTextFault(key);
  return fault === undefined ? undefined : `a key ${fault}`;
}

const readStruct: ReadValue = (value, path, reading, depth) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? readFree(value, path, reading, depth)
    : refuse(reading, path, 'must be an object');

const readListValue: ReadValue = (value, path, reading, depth) =>
  Array.isArray(value) ? readFree(value, path, reading, depth) : refuse(reading, path, 'must be an array');

/**
 * A message of a type that is not ours, kept as it is: nothing here knows what it means, so the typed request does not have it (see
 * `Reading.hasUnknown`). Without a type and without members it is none.
 */
export const readUnknown: ReadValue = (value, path, reading, depth) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(reading, path, 'must be an object');
  }
  if (Object.keys(value).length === 0) {
    return undefined;
  }
  const type = value['@type'];
  if (typeof type !== 'string' || !/^type\.googleapis\.com\/[A-Za-z0-9_.]{1,200}$/.test(type)) {
    return refuse(reading, path, 'must have its type, such as "@type": "type.googleapis.com/google.protobuf.Struct"');
  }
  reading.hasUnknown = true;
  return readFree(value, path, reading, depth);
};

/** Readers of the well-known types of the contract, by full name. Any has none here: lists of them are in replies alone. */
export const wellKnownReaders: Readonly<Record<string, ReadValue | undefined>> = {
  'google.protobuf.Timestamp': readTimestamp,
  'google.protobuf.Duration': readDuration,
  'google.protobuf.FieldMask': readFieldMask,
  'google.protobuf.Struct': readStruct,
  'google.protobuf.Value': readFree,
  'google.protobuf.ListValue': readListValue,
};
