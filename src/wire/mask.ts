/**
 * Update masks: which fields of a resource an update sets. Works on plain JSON as `Call.sent` holds it; parsing a mask's text is
 * read-scalar.ts, and what may change in which state is for the modules.
 */
import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../errors.ts';
import { fieldsByName, isOpenMessage, serverOwnedNames } from './plan.ts';
import type { JsonOf } from './row.ts';

export type { JsonObject } from '@bufbuild/protobuf';

/** Rights of an update beyond its mask. */
export interface UpdateOptions {
  /** Server-owned fields that a mask may name all the same, because naming them asks for something (a review's `state`). They stay untouched. */
  readonly actionPaths?: readonly string[];
}

/** One path of a mask that was found in the contract. */
interface Target {
  readonly path: string;
  readonly fields: readonly DescField[];
}

/**
 * The resource after the update; `current` and `incoming` are left as they are.
 *
 * Mask undefined or empty: what is present in `incoming` is set, messages, maps and lists whole. Named: exactly those paths are set, to
 * unset where absent from `incoming`; a parent covers its children; a map or list is one path. `*`: all that a client may
 * write is replaced. Setting a member of a oneof clears the others. Server-owned fields are kept. 400 for a path that is unknown or
 * server-owned, and for two members of one oneof, with all violations at once.
 */
export function applyUpdate<D extends DescMessage>(
  desc: D,
  current: JsonOf<D>,
  incoming: JsonOf<D>,
  mask: readonly string[] | undefined,
  options?: UpdateOptions,
): JsonOf<D>;
export function applyUpdate(
  desc: DescMessage,
  current: JsonObject,
  incoming: JsonObject,
  mask: readonly string[] | undefined,
  options: UpdateOptions = {},
): JsonObject {
  const result = { ...current };
  if (mask === undefined || mask.length === 0) {
    for (const field of desc.fields) {
      if (incoming[field.jsonName] !== undefined) {
        setField(desc, result, field, incoming[field.jsonName]);
      }
    }
    return result;
  }
  const targets = findTargets(desc, mask, options.actionPaths ?? []);
  if (mask.includes('*')) {
    for (const field of desc.fields) {
      setField(desc, result, field, incoming[field.jsonName]);
    }
    return result;
  }
  for (const { fields } of targets) {
    setPath(desc, result, incoming, fields);
  }
  return result;
}

/** Throws 400 unless each path of the mask exists, is not server-owned, and no two are members of one oneof. */
function findTargets(desc: DescMessage, mask: readonly string[], actionPaths: readonly string[]): Target[] {
  const violations: FieldViolation[] = [];
  const targets: Target[] = [];
  for (const path of new Set(mask)) {
    if (path === '*' || actionPaths.includes(path)) {
      continue;
    }
    const found = findPath(desc, path);
    if (typeof found === 'string') {
      violations.push({ field: 'updateMask', description: found });
    } else {
      targets.push({ path, fields: found });
    }
  }
  const kept = targets.filter(({ path }) => !targets.some((other) => path.startsWith(`${other.path}.`)));
  violations.push(...findSiblings(kept));
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', violations.map(({ description }) => `updateMask: ${description}`).join('; '), { violations });
  }
  return kept;
}

/** The fields along a path, or what is wrong with it. */
function findPath(desc: DescMessage, path: string): DescField[] | string {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = desc;
  for (const name of path.split('.')) {
    const field: DescField | undefined = message === undefined ? undefined : fieldsByName(message).get(name);
    if (field === undefined || message === undefined) {
      return `${JSON.stringify(path)} is not a field of ${desc.name}`;
    }
    if (serverOwnedNames(message).has(field.jsonName)) {
      return `${JSON.stringify(path)} is set by the server alone`;
    }
    fields.push(field);
    message = isOpenMessage(field) ? field.message : undefined;
  }
  return fields;
}

/** Paths that lead into two members of one oneof. */
function findSiblings(targets: readonly Target[]): FieldViolation[] {
  const firstByOneof = new Map<string, { path: string; member: DescField }>();
  const violations: FieldViolation[] = [];
  for (const { path, fields } of targets) {
    let place = '';
    for (const field of fields) {
      if (field.oneof !== undefined) {
        const key = `${place}:${field.oneof.name}`;
        const first = firstByOneof.get(key);
        if (first === undefined) {
          firstByOneof.set(key, { path, member: field });
        } else if (first.member !== field) {
          violations.push({
            field: 'updateMask',
            description: `${first.path} and ${path} are members of ${field.oneof.name}, of which at most one may be set`,
          });
        }
      }
      place = `${place}.${field.jsonName}`;
    }
  }
  return violations;
}

function setPath(desc: DescMessage, target: JsonObject, incoming: JsonObject | undefined, fields: readonly DescField[]): void {
  const [field, ...rest] = fields;
  if (field === undefined) {
    return;
  }
  const value = incoming?.[field.jsonName];
  if (rest.length === 0) {
    setField(desc, target, field, value);
    return;
  }
  const before = target[field.jsonName];
  if (before === undefined && value === undefined) {
    return;
  }
  if (value !== undefined) {
    clearSiblings(target, field);
  }
  const inner: JsonObject = { ...((before ?? {}) as JsonObject) };
  setPath(field.message as DescMessage, inner, value as JsonObject | undefined, rest);
  target[field.jsonName] = inner;
}

function setField(desc: DescMessage, target: JsonObject, field: DescField, value: JsonValue | undefined): void {
  const name = field.jsonName;
  if (serverOwnedNames(desc).has(name)) {
    return;
  }
  if (value === undefined) {
    delete target[name];
    return;
  }
  clearSiblings(target, field);
  target[name] = isOpenMessage(field) ? keepServerOwned(field.message, target[name] as JsonObject | undefined, value as JsonObject) : value;
}

function clearSiblings(target: JsonObject, field: DescField): void {
  for (const sibling of field.oneof?.fields ?? []) {
    if (sibling !== field) {
      delete target[sibling.jsonName];
    }
  }
}

/** A message that replaces another whole, but for what in it is the server's. */
function keepServerOwned(desc: DescMessage, before: JsonObject | undefined, value: JsonObject): JsonObject {
  const result: JsonObject = {};
  const owned = serverOwnedNames(desc);
  for (const field of desc.fields) {
    const name = field.jsonName;
    const source = owned.has(name) ? before : value;
    const next = source?.[name];
    if (next !== undefined) {
      const isInner = isOpenMessage(field) && !owned.has(name);
      result[name] = isInner ? keepServerOwned(field.message, before?.[name] as JsonObject | undefined, next as JsonObject) : next;
    }
  }
  return result;
}
