/**
 * Reading a request: one walk along the descriptor checks everything at once and brings it into one spelling, then protobuf builds the
 * typed message from that. Single values are in read-scalar.ts, query strings in read-query.ts.
 */
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
} from '@bufbuild/protobuf';
import { AppError, type FieldViolation, maxViolations } from '../errors.ts';
import { fieldsByName } from './plan.ts';
import {
  enumReader,
  findKeyFault,
  maxDepth,
  type Reading,
  type ReadValue,
  readUnknown,
  refuse,
  scalarReader,
  type UnknownMember,
  wellKnownReaders,
} from './read-scalar.ts';
import type { JsonOf } from './row.ts';

/** A request that keeps the contract. */
export interface ReadRequest<D extends DescMessage> {
  readonly message: MessageShape<D>;
  /** See `Call.sent`. */
  readonly sent: JsonOf<D>;
  /** Members of the body that the contract does not know: clients newer than this server send them, and slips of the pen. */
  readonly unknown: readonly UnknownMember[];
}

/** Reading of one field. */
interface FieldPlan {
  readonly name: string;
  readonly read: ReadValue;
  readonly oneof: DescOneof | undefined;
  /** null is a value of its own (google.protobuf.Value). */
  readonly takesNull: boolean;
}

type MessagePlan = ReadonlyMap<string, FieldPlan>;

const plans = new WeakMap<DescMessage, MessagePlan>();
const maxItems = 50_000;
/** Items of a list that a page is filtered by: each is looked for again and again while the page is found. */
const maxItemsOfFilter = 1000;

/**
 * The typed message and what was sent, from the JSON of a body (null and undefined stand for none) and parameters that win over members of
 * the same name. INVALID_ARGUMENT with all violations and their paths for anything the contract does not allow; never another error.
 */
export function readRequest<D extends DescMessage>(desc: D, body: unknown, parameters?: Readonly<Record<string, string>>): ReadRequest<D> {
  const onlyFinds = fieldsByName(desc).has('page_size');
  const reading: Reading = { violations: [], unknown: [], maxItems: onlyFinds ? maxItemsOfFilter : maxItems, onlyFinds };
  const json = withParameters(desc, body ?? {}, parameters);
  const sent = readMessage(desc, json as JsonValue, '', reading, 0) as JsonOf<D> | undefined;
  if (sent === undefined || reading.violations.length > 0) {
    throw refusal(reading.violations);
  }
  try {
    const known = reading.hasUnknown === true ? withoutUnknown(desc, sent) : sent;
    return {
      message: fromJson(desc, known, { ignoreUnknownFields: true, recursionLimit: 8 * maxDepth }),
      sent,
      unknown: reading.unknown,
    };
  } catch (cause) {
    // The walk is meant to be stricter than protobuf; where it is not, the client still gets an answer.
    throw new AppError('INVALID_ARGUMENT', 'The request does not match the contract.', { cause, detail: String(cause) });
  }
}

/** A body without what its client read before, and that; undefined where it says nothing of it. */
interface SplitBody {
  readonly body: unknown;
  readonly asRead: JsonObject | undefined;
}

const asReadNames = ['asRead', 'as_read'] as const;

/**
 * Takes `asRead` out of a body: members of the same request as they were when its client read them. INVALID_ARGUMENT for one that the contract would not
 * allow as a request; what it does not know is left out, since whoever echoes what they read cannot help that.
 */
export function takeAsRead(desc: DescMessage, whole: unknown): SplitBody {
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) {
    return { body: whole, asRead: undefined };
  }
  const given = asReadNames.flatMap((name) => (Object.hasOwn(whole, name) ? [(whole as JsonObject)[name]] : []));
  if (given.length === 0) {
    return { body: whole, asRead: undefined };
  }
  const body = Object.fromEntries(Object.entries(whole).filter(([name]) => !asReadNames.some((one) => one === name)));
  const reading: Reading = { violations: [], unknown: [], maxItems, onlyFinds: true };
  const asRead = given[0] === null ? undefined : readMessage(desc, given[0] as JsonValue, 'asRead', reading, 0);
  if (given.length > 1) {
    refuse(reading, 'asRead', 'is given twice, in both spellings');
  }
  if (reading.violations.length > 0) {
    throw refusal(reading.violations);
  }
  return { body, asRead: asRead as JsonObject | undefined };
}

/** Drops messages of types that are not ours, which protobuf cannot build, from what was sent. None of them is in a list or a map. */
function withoutUnknown(desc: DescMessage, sent: JsonObject): JsonObject {
  const known: JsonObject = { ...sent };
  for (const field of desc.fields) {
    const value = known[field.jsonName];
    if (field.fieldKind !== 'message' || value === undefined) {
      continue;
    }
    if (field.message.typeName === 'google.protobuf.Any') {
      delete known[field.jsonName];
    } else if (!field.message.typeName.startsWith('google.protobuf.')) {
      known[field.jsonName] = withoutUnknown(field.message, value as JsonObject);
    }
  }
  return known;
}

/** The 400 that says all of this. */
export function refusal(violations: readonly FieldViolation[]): AppError {
  const said = violations.slice(0, 8).map(({ field, description }) => (field === '' ? description : `${field}: ${description}`));
  const more = violations.length - said.length;
  return new AppError('INVALID_ARGUMENT', `${said.join('; ')}${more > 0 ? `; and ${more} more` : ''}`, { violations });
}

function withParameters(desc: DescMessage, body: unknown, parameters: Readonly<Record<string, string>> | undefined): unknown {
  if (parameters === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  const fields = fieldsByName(desc);
  const merged: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(parameters)) {
    const field = fields.get(name);
    if (field !== undefined) {
      delete merged[field.name];
      delete merged[field.localName];
      merged[field.jsonName] = value;
    }
  }
  return merged;
}

function readMessage(desc: DescMessage, value: JsonValue, path: string, reading: Reading, depth: number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(reading, path, path === '' ? 'The body must be a JSON object.' : 'must be an object');
  }
  if (depth > maxDepth) {
    return refuse(reading, path, `is nested deeper than ${maxDepth} levels`);
  }
  const plan = plans.get(desc) ?? makePlan(desc);
  const sent: JsonObject = {};
  let members: Map<DescOneof, string[]> | undefined;
  for (const key of Object.keys(value)) {
    const field = plan.get(key);
    const given = value[key];
    if (field === undefined) {
      noteUnknown(reading, desc, key, path);
      continue;
    }
    if (given === undefined || (given === null && !field.takesNull)) {
      continue;
    }
    const at = path === '' ? field.name : `${path}.${field.name}`;
    if (sent[field.name] !== undefined) {
      refuse(reading, at, 'is given twice, in both spellings');
      continue;
    }
    if (field.oneof !== undefined) {
      members ??= new Map();
      members.set(field.oneof, [...(members.get(field.oneof) ?? []), field.name]);
    }
    const read = field.read(given, at, reading, depth + 1);
    if (read !== undefined) {
      sent[field.name] = read;
    }
  }
  for (const [oneof, names] of members ?? []) {
    if (names.length > 1) {
      refuse(
        reading,
        path === '' ? oneof.name : `${path}.${oneof.name}`,
        `${listNames(names)} exclude each other: at most one member of ${oneof.name} may be set`,
      );
    }
  }
  return sent;
}

/** `@type` is how a message of any type is written, and says nothing that is lost. Fields that are read by nobody have a name all the same. */
function noteUnknown(reading: Reading, desc: DescMessage, key: string, path: string): void {
  if (key !== '@type' && reading.unknown.length < maxViolations && !fieldsByName(desc).has(key)) {
    reading.unknown.push({ path: path === '' ? key : `${path}.${key}`, desc });
  }
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function makePlan(desc: DescMessage): MessagePlan {
  const byField = new Map<DescField, FieldPlan>();
  for (const field of desc.fields) {
    const read = fieldReader(field);
    if (read !== undefined) {
      const takesNull = field.fieldKind === 'message' && field.message.typeName === 'google.protobuf.Value';
      byField.set(field, { name: field.jsonName, read, oneof: field.oneof, takesNull });
    }
  }
  const plan = new Map<string, FieldPlan>();
  for (const [name, field] of fieldsByName(desc)) {
    const found = byField.get(field);
    if (found !== undefined) {
      plan.set(name, found);
    }
  }
  plans.set(desc, plan);
  return plan;
}

/** Reader of a field; undefined for one that is ignored. */
function fieldReader(field: DescField): ReadValue | undefined {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarReader(field, field.scalar);
    case 'enum':
      return enumReader(field, field.enum);
    case 'message':
      return field.message.typeName === 'google.protobuf.Any' ? readUnknown : messageReader(field.message);
    case 'list': {
      const item = field.listKind === 'message' ? messageReader(field.message) : single(field, field);
      return item && makeReadList(item);
    }
    case 'map': {
      const item = field.mapKind === 'message' ? messageReader(field.message) : single(field, field);
      return item && makeReadMap(item, scalarReader(field, field.mapKey));
    }
  }
}

function single(
  field: DescField,
  kind: { readonly scalar?: Parameters<typeof scalarReader>[1] | undefined; readonly enum?: Parameters<typeof enumReader>[1] | undefined },
): ReadValue | undefined {
  if (kind.enum !== undefined) {
    return enumReader(field, kind.enum);
  }
  return kind.scalar === undefined ? undefined : scalarReader(field, kind.scalar);
}

function messageReader(desc: DescMessage): ReadValue | undefined {
  if (desc.typeName.startsWith('google.protobuf.')) {
    return wellKnownReaders[desc.typeName];
  }
  return (value, path, reading, depth) => readMessage(desc, value, path, reading, depth);
}

function makeReadList(readItem: ReadValue): ReadValue {
  return (value, path, reading, depth) => {
    if (!Array.isArray(value)) {
      return refuse(reading, path, 'must be an array');
    }
    if (value.length > reading.maxItems) {
      return refuse(reading, path, `has more than ${reading.maxItems} items`);
    }
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      const at = `${path}[${index}]`;
      const read = item === null ? refuse(reading, at, 'must not be null') : readItem(item, at, reading, depth);
      if (read !== undefined) {
        items.push(read);
      } else if (reading.violations.length > maxViolations) {
        break;
      }
    }
    return items;
  };
}

function makeReadMap(readItem: ReadValue, readKey: ReadValue): ReadValue {
  return (value, path, reading, depth) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refuse(reading, path, 'must be an object');
    }
    const entries: JsonObject = {};
    for (const key of Object.keys(value)) {
      const item = value[key];
      const fault = findKeyFault(key);
      if (fault !== undefined) {
        refuse(reading, path, fault);
      } else if (item !== null && item !== undefined && readKey(key, `${path} (a key)`, reading, depth) !== undefined) {
        const read = readItem(item, `${path}.${key}`, reading, depth);
        if (read !== undefined) {
          entries[key] = read;
        }
      }
      if (reading.violations.length > maxViolations) {
        break;
      }
    }
    return entries;
  };
}
