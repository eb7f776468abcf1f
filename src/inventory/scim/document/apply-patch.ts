/**
 * PATCH on the JSON of one resource (RFC 7644 section 3.5.2): what its operations are, and where each is applied. How values change is in
 * patch-values.ts; members of groups are too many for this and go another way (change-group.ts).
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { ScimError } from './errors.ts';
import { findAttribute, isCoreUrn } from './find-attribute.ts';
import { findMember, isObject } from './match-value.ts';
import { type AttributePath, parsePath } from './parse-path.ts';
import { applyToAttribute, applyToSub, applyToValues, mergeObjects, type Op, type Target } from './patch-values.ts';
import type { ResourceKind } from './store-resources.ts';

/** One operation; `value` is absent for a remove without one. */
export interface PatchOperation {
  readonly op: Op;
  readonly path: AttributePath | undefined;
  readonly value: JsonValue | undefined;
}

const maxOperations = 1000;

/** Reads the body of a PATCH; 400 for one that is none. `op` is taken in any case, since providers write "Add". */
export function readOperations(body: JsonValue | undefined): PatchOperation[] {
  const member = isObject(body) ? findMember(body, 'Operations') : undefined;
  const operations = isObject(body) && member !== undefined ? body[member] : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, 'invalidSyntax', 'A PATCH needs Operations, a list of changes.');
  }
  if (operations.length > maxOperations) {
    throw new ScimError(400, 'tooMany', `A PATCH has at most ${maxOperations} operations.`);
  }
  return operations.map((operation, index) => readOperation(operation, `Operations[${index}]`));
}

function readOperation(operation: JsonValue, place: string): PatchOperation {
  const op = isObject(operation) && typeof operation.op === 'string' ? operation.op.toLowerCase() : '';
  if (!isObject(operation) || (op !== 'add' && op !== 'remove' && op !== 'replace')) {
    throw new ScimError(400, 'invalidSyntax', `${place}.op must be add, remove or replace.`);
  }
  const path = operation.path ?? '';
  const { value } = operation;
  if (typeof path !== 'string') {
    throw new ScimError(400, 'invalidPath', `${place}.path must be a text.`);
  }
  if (op === 'remove' && path === '') {
    throw new ScimError(400, 'noTarget', `${place} removes and needs a path.`);
  }
  if (op !== 'remove' && value === undefined) {
    throw new ScimError(400, 'invalidValue', `${place} needs a value.`);
  }
  return { op, path: path === '' ? undefined : parsePath(path), value };
}

/** The resource after the operations; the one given stays as it is. All of them or, by an error, none. */
export function applyPatch(kind: ResourceKind, resource: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  const result = structuredClone(resource) as JsonObject;
  for (const { op, path, value } of operations) {
    if (path !== undefined) {
      applyAt(kind, result, path, op, value);
    } else if (isObject(value)) {
      applyMembers(kind, result, value, op);
    } else {
      throw new ScimError(400, 'invalidValue', 'An operation without a path needs an object of attributes as its value.');
    }
  }
  return result;
}

/** A value without a path: each of its members has a path of its own as its key, as some providers write it. */
function applyMembers(kind: ResourceKind, result: JsonObject, value: JsonObject, op: Op): void {
  for (const [key, member] of Object.entries(value)) {
    const path = parsePath(key);
    const isUnknown = path.urn !== '' && path.attribute !== '' && findAttribute(kind, path.urn, path.attribute) === undefined;
    if (isObject(member) && isUnknown && path.filter === undefined && path.sub === '') {
      // An extension nobody here knows: its name looks like that of an attribute.
      applyAt(kind, result, { ...path, urn: key.trim(), attribute: '' }, op, member);
    } else {
      applyAt(kind, result, path, op, member);
    }
  }
}

function applyAt(kind: ResourceKind, result: JsonObject, path: AttributePath, op: Op, value: JsonValue | undefined): void {
  if (path.attribute === '') {
    applyToSchema(kind, result, path.urn, op, value);
    return;
  }
  const holder = holderOf(result, path.urn, op);
  if (holder === undefined) {
    return;
  }
  const attribute = findAttribute(kind, path.urn, path.attribute);
  const key = findMember(holder, path.attribute) ?? attribute?.name ?? path.attribute;
  const target: Target = { holder, key, attribute };
  if (path.filter !== undefined) {
    applyToValues(target, path.filter, path.sub, op, value);
  } else if (path.sub !== '') {
    applyToSub(target, path.sub, op, value);
  } else {
    applyToAttribute(target, op, value);
  }
}

/** All of a schema at once: an extension is changed as a complex attribute is, the core schema member by member. */
function applyToSchema(kind: ResourceKind, result: JsonObject, urn: string, op: Op, value: JsonValue | undefined): void {
  if (op === 'remove') {
    if (isCoreUrn(kind, urn)) {
      throw new ScimError(400, 'mutability', 'The core schema cannot be removed from a resource.');
    }
    delete result[findMember(result, urn) ?? urn];
    return;
  }
  if (!isObject(value)) {
    throw new ScimError(400, 'invalidValue', `${urn} must be an object.`);
  }
  if (isCoreUrn(kind, urn)) {
    applyMembers(kind, result, value, op);
    return;
  }
  const holder = holderOf(result, urn, op) ?? {};
  for (const [name, member] of Object.entries(value)) {
    if (findAttribute(kind, urn, name) === undefined) {
      Object.assign(holder, mergeObjects(holder, { [name]: member }));
    } else {
      applyAt(kind, result, { urn, attribute: name, filter: undefined, sub: '' }, op, member);
    }
  }
}

/** Object that holds a schema's attributes; made where they are to be written, undefined where there are none to remove. */
function holderOf(resource: JsonObject, urn: string, op: Op): JsonObject | undefined {
  if (urn === '') {
    return resource;
  }
  const key = findMember(resource, urn) ?? urn;
  const holder = resource[key];
  if (isObject(holder)) {
    return holder;
  }
  if (op === 'remove') {
    return undefined;
  }
  const made: JsonObject = {};
  resource[key] = made;
  return made;
}
