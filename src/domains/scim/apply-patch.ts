/**
 * PATCH on the JSON of one resource (RFC 7644 section 3.5.2). Which attributes there are, and what may change, is for whoever stores the
 * result; members of groups are too many for this and go another way (change-group.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { ScimError } from './errors.ts';
import { findMember, isObject, matchesValue } from './match-value.ts';
import type { Filter } from './parse-filter.ts';
import { type AttributePath, parsePath } from './parse-path.ts';

/** One operation; `value` is absent for a remove without one. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: AttributePath | undefined;
  readonly value: JsonValue | undefined;
}

const maxOperations = 1000;

/** Reads the body of a PATCH; 400 for one that is none. `op` is taken in any case, since providers write "Add". */
export function readOperations(body: JsonValue | undefined): PatchOperation[] {
  const member = isObject(body) ? findMember(body, 'Operations') : undefined;
  const operations = isObject(body) && member !== undefined ? body[member] : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, 'invalidSyntax', 'A PATCH needs Operations, a list of what to do.');
  }
  if (operations.length > maxOperations) {
    throw new ScimError(400, 'tooMany', `A PATCH has at most ${maxOperations} operations.`);
  }
  return operations.map((operation, index) => readOperation(operation, `Operations[${index}]`));
}

function readOperation(operation: JsonValue, place: string): PatchOperation {
  const op = isObject(operation) ? String(operation.op ?? '').toLowerCase() : '';
  if (!isObject(operation) || (op !== 'add' && op !== 'remove' && op !== 'replace')) {
    throw new ScimError(400, 'invalidSyntax', `${place}.op must be add, remove or replace.`);
  }
  const { path, value } = operation;
  if (path !== undefined && typeof path !== 'string') {
    throw new ScimError(400, 'invalidPath', `${place}.path must be a text.`);
  }
  if (op === 'remove' && (path === undefined || path === '')) {
    throw new ScimError(400, 'noTarget', `${place} removes and needs a path.`);
  }
  if (op !== 'remove' && value === undefined) {
    throw new ScimError(400, 'invalidValue', `${place} needs a value.`);
  }
  return { op, path: path === undefined || path === '' ? undefined : parsePath(path), value };
}

/** The resource after the operations; the one given stays as it is. All of them or, by an error, none. */
export function applyPatch(resource: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  const result = structuredClone(resource) as JsonObject;
  for (const { op, path, value } of operations) {
    if (path !== undefined) {
      applyAt(holderOf(result, path.urn), path, op, value);
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        applyMember(result, key, op, member);
      }
    } else {
      throw new ScimError(400, 'invalidValue', 'An operation without a path needs an object of attributes as its value.');
    }
  }
  return result;
}

/** A member of a value without a path: its key may be a path of its own, as some providers write it. */
function applyMember(result: JsonObject, key: string, op: PatchOperation['op'], member: JsonValue): void {
  if (/^urn:/i.test(key) && isObject(member)) {
    const holder = holderOf(result, key);
    for (const [name, value] of Object.entries(member)) {
      applyAt(holder, parsePath(name), op, value);
    }
    return;
  }
  const path = parsePath(key);
  applyAt(holderOf(result, path.urn), path, op, member);
}

function holderOf(resource: JsonObject, urn: string): JsonObject {
  if (urn === '') {
    return resource;
  }
  const key = findMember(resource, urn) ?? urn;
  const holder = resource[key];
  if (isObject(holder)) {
    return holder;
  }
  const made: JsonObject = {};
  resource[key] = made;
  return made;
}

function applyAt(holder: JsonObject, path: AttributePath, op: PatchOperation['op'], value: JsonValue | undefined): void {
  if (path.attribute === '') {
    // The whole extension, which is changed as a complex attribute is.
    for (const key of op === 'remove' ? Object.keys(holder) : []) {
      delete holder[key];
    }
    Object.assign(holder, isObject(value) && op !== 'remove' ? mergeObjects(holder, value) : {});
    return;
  }
  const key = findMember(holder, path.attribute) ?? path.attribute;
  if (path.filter !== undefined) {
    applyToValues(holder, key, path.filter, path.sub, op, value);
  } else if (path.sub !== '') {
    applyToSub(holder, key, path.sub, op, value);
  } else {
    applyToAttribute(holder, key, op, value);
  }
}

function applyToAttribute(holder: JsonObject, key: string, op: PatchOperation['op'], value: JsonValue | undefined): void {
  const present = holder[key];
  if (op === 'remove') {
    if (Array.isArray(present) && value !== undefined) {
      const gone = Array.isArray(value) ? value : [value];
      holder[key] = present.filter((one) => !gone.some((other) => isSame(one, other)));
      return;
    }
    delete holder[key];
    return;
  }
  if (op === 'add' && Array.isArray(present)) {
    const added = Array.isArray(value) ? value : [value as JsonValue];
    const fresh = added.filter((one) => !present.some((other) => isSame(one, other)));
    holder[key] = [...withoutPrimary(present, fresh), ...fresh];
    return;
  }
  if (isObject(present) && isObject(value)) {
    // Of a complex attribute, what the value does not name stays: for replace as for add.
    holder[key] = mergeObjects(present, value);
    return;
  }
  holder[key] = value as JsonValue;
}

/** The members of both, those of the second where both have one, in whatever case it is written. */
function mergeObjects(present: JsonObject, value: JsonObject): JsonObject {
  const merged = { ...present };
  for (const [name, member] of Object.entries(value)) {
    merged[findMember(merged, name) ?? name] = member;
  }
  return merged;
}

/** Only one value is primary: a new one takes it from the others (RFC 7643 section 2.4). */
function withoutPrimary(present: readonly JsonValue[], fresh: readonly JsonValue[]): JsonValue[] {
  if (!fresh.some((one) => isObject(one) && one.primary === true)) {
    return [...present];
  }
  return present.map((one) => (isObject(one) && one.primary === true ? { ...one, primary: false } : one));
}

/** Two values of a list are the same where their `value`, and their `type` if both have one, are; without a `value`, where all of them is. */
function isSame(left: JsonValue, right: JsonValue): boolean {
  if (!isObject(left) || !isObject(right)) {
    return (isObject(left) ? left.value : left) === (isObject(right) ? right.value : right);
  }
  if (left.value === undefined || right.value === undefined) {
    return isDeepStrictEqual(left, right);
  }
  return left.value === right.value && (left.type === undefined || right.type === undefined || left.type === right.type);
}

function applyToSub(holder: JsonObject, key: string, sub: string, op: PatchOperation['op'], value: JsonValue | undefined): void {
  const present = holder[key];
  if (Array.isArray(present)) {
    holder[key] = present.map((one) => (isObject(one) ? withSub(one, sub, op, value) : one));
    return;
  }
  holder[key] = withSub(isObject(present) ? present : {}, sub, op, value);
}

function withSub(object: JsonObject, sub: string, op: PatchOperation['op'], value: JsonValue | undefined): JsonObject {
  const member = findMember(object, sub) ?? sub;
  const { [member]: _before, ...rest } = object;
  return op === 'remove' ? rest : { ...rest, [member]: value as JsonValue };
}

function applyToValues(
  holder: JsonObject,
  key: string,
  filter: Filter,
  sub: string,
  op: PatchOperation['op'],
  value: JsonValue | undefined,
): void {
  const present = holder[key];
  const values = Array.isArray(present) ? present : [];
  const isMatch = values.map((one) => matchesValue(one, filter));
  if (!isMatch.includes(true)) {
    if (op === 'remove') {
      return;
    }
    if (op === 'replace') {
      throw new ScimError(400, 'noTarget', `No value of ${key} meets the filter.`);
    }
    const made = valueFor(filter, sub, value);
    // Providers add emails[type eq "work"].value of people who have none yet: what the filter says is what the new value is.
    holder[key] = made === undefined ? values : [...values, made];
    return;
  }
  holder[key] = values.flatMap((one, index) => {
    if (isMatch[index] !== true) {
      return [one];
    }
    if (sub !== '') {
      return [withSub(isObject(one) ? one : {}, sub, op, value)];
    }
    if (op === 'remove') {
      return [];
    }
    return [op === 'add' && isObject(one) && isObject(value) ? mergeObjects(one, value) : (value as JsonValue)];
  });
}

/** A new value that meets a filter of equalities: type eq "work" makes {type: "work"}. Undefined for other filters. */
function valueFor(filter: Filter, sub: string, value: JsonValue | undefined): JsonObject | undefined {
  const base = equalitiesOf(filter);
  if (base === undefined) {
    return undefined;
  }
  if (sub !== '') {
    return { ...base, [sub]: value as JsonValue };
  }
  return isObject(value) ? { ...base, ...value } : undefined;
}

function equalitiesOf(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq') {
    return { [filter.path]: filter.value };
  }
  if (filter.kind !== 'and') {
    return undefined;
  }
  const [left, right] = [equalitiesOf(filter.left), equalitiesOf(filter.right)];
  return left !== undefined && right !== undefined ? { ...left, ...right } : undefined;
}
