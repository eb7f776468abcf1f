/**
 * Changes that a PATCH makes to one attribute: to all of it, to a part of it, to some of its values (RFC 7644 sections 3.5.2.1 to 3.5.2.3). Whether
 * an attribute has one value or many is reported by the schema, and by what is there for attributes nobody here knows.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Attribute } from './attributes.ts';
import { ScimError } from './errors.ts';
import { findSub } from './find-attribute.ts';
import { findMember, isObject, matchesValue } from './match-value.ts';
import type { Filter } from './parse-filter.ts';
import { readValue, requireFew } from './read-document.ts';

/** Kind of change. */
export type Op = 'add' | 'remove' | 'replace';

/** The attribute it is done to, in the object that holds it. */
export interface Target {
  readonly holder: JsonObject;
  readonly key: string;
  /** As the schema has it; undefined for one nobody here knows. */
  readonly attribute: Attribute | undefined;
}

/** Adds to, removes from or replaces the whole attribute. */
export function applyToAttribute({ holder, key, attribute }: Target, op: Op, sent: JsonValue | undefined): void {
  const present = holder[key];
  const value = sent === undefined ? undefined : readValue(sent, attribute, key);
  if (op === 'remove') {
    if (Array.isArray(present) && value !== undefined) {
      const gone = Array.isArray(value) ? value : [value];
      holder[key] = present.filter((one) => !gone.some((other) => isSame(one, other)));
    } else {
      delete holder[key];
    }
    return;
  }
  if (value === undefined) {
    // Nothing to add; to be replaced by nothing is to be removed.
    if (op === 'replace') {
      delete holder[key];
    }
    return;
  }
  if (op === 'add' && (Array.isArray(present) || Array.isArray(value))) {
    const values = Array.isArray(present) ? [...present] : present === undefined ? [] : [present];
    const count = values.length;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (!values.some((other) => isSame(one, other))) {
        values.push(one);
      }
    }
    requireFew(values, key);
    holder[key] = withOnePrimary(values, (index) => index >= count);
    return;
  }
  // Of a complex attribute, what the value does not name stays: for replace as for add.
  holder[key] = isObject(present) && isObject(value) ? mergeObjects(present, value) : value;
}

/** The members of both, those of the second where both have one, in whatever case it is written. */
export function mergeObjects(present: JsonObject, value: JsonObject): JsonObject {
  const merged = { ...present };
  for (const [name, member] of Object.entries(value)) {
    merged[findMember(merged, name) ?? name] = member;
  }
  return merged;
}

/** Only one value is primary: one that was just written takes it from the others (RFC 7643 section 2.4). */
function withOnePrimary(values: readonly JsonValue[], isWritten: (index: number) => boolean): JsonValue[] {
  const isPrimary = (one: JsonValue): one is JsonObject => isObject(one) && one.primary === true;
  const winner = values.findLastIndex((one, index) => isPrimary(one) && isWritten(index));
  return values.map((one, index) => (winner >= 0 && index !== winner && isPrimary(one) ? { ...one, primary: false } : one));
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

/** Changes one part of a complex attribute: of all its values where it has many. */
export function applyToSub({ holder, key, attribute }: Target, name: string, op: Op, sent: JsonValue | undefined): void {
  requireComplex(attribute, key, name);
  const present = holder[key];
  const change = partChange(attribute, key, name, op, sent);
  if (Array.isArray(present)) {
    const values = present.map((one) => (isObject(one) ? change(one) : one));
    holder[key] = withOnePrimary(values, () => true);
  } else if (isObject(present) || op !== 'remove') {
    const changed = change(isObject(present) ? present : {});
    holder[key] = attribute?.multiValued === true ? [changed] : changed;
  }
}

function requireComplex(attribute: Attribute | undefined, key: string, name: string): void {
  if (attribute !== undefined && attribute.type !== 'complex') {
    throw new ScimError(400, 'invalidPath', `${key} has no parts, so there is no ${key}.${name}.`);
  }
}

/** Returns what becomes of an object whose part is changed. */
function partChange(
  attribute: Attribute | undefined,
  key: string,
  name: string,
  op: Op,
  sent: JsonValue | undefined,
): (object: JsonObject) => JsonObject {
  const sub = findSub(attribute, name);
  const value = op === 'remove' || sent === undefined ? undefined : readValue(sent, sub, `${key}.${name}`);
  return (object) => {
    const member = findMember(object, name) ?? sub?.name ?? name;
    const { [member]: _before, ...rest } = object;
    return value === undefined ? rest : { ...rest, [member]: value };
  };
}

/** Changes those values of a multi-valued attribute that meet a filter, or a part of each of them. */
export function applyToValues(target: Target, filter: Filter, sub: string, op: Op, sent: JsonValue | undefined): void {
  const { holder, key, attribute } = target;
  if (attribute !== undefined && !attribute.multiValued) {
    throw new ScimError(400, 'invalidPath', `${key} has one value, so a filter cannot select among them.`);
  }
  if (sub !== '') {
    requireComplex(attribute, key, sub);
  }
  const present = holder[key];
  const values = Array.isArray(present) ? present : [];
  const isMatch = values.map((one) => matchesValue(one, filter));
  if (!isMatch.includes(true)) {
    addByFilter(target, values, filter, sub, op, sent);
    return;
  }
  const change = sub === '' ? valueChange(attribute, key, op, sent) : partChange(attribute, key, sub, op, sent);
  const changed = values.map((one, index) => (isMatch[index] === true ? change(isObject(one) ? one : { value: one }) : one));
  holder[key] = withOnePrimary(changed, (index) => isMatch[index] === true).filter((one) => !isObject(one) || Object.keys(one).length > 0);
}

/** Returns what becomes of a value: nothing of it, the one that is sent, or both. An object without members is a value that goes. */
function valueChange(attribute: Attribute | undefined, key: string, op: Op, sent: JsonValue | undefined): (one: JsonObject) => JsonObject {
  if (op === 'remove') {
    return () => ({});
  }
  const read = sent === undefined ? undefined : readValue(sent, attribute, key);
  const value = Array.isArray(read) && read.length === 1 ? read[0] : read;
  if (value !== undefined && !isObject(value)) {
    throw new ScimError(400, 'invalidValue', `A value of ${key} must be an object.`);
  }
  return (one) => (op === 'add' ? mergeObjects(one, value ?? {}) : (value ?? {}));
}

/**
 * No value meets the filter: nothing to remove, no target to replace. Providers add emails[type eq "work"].value of people who have none yet:
 * what the filter says is what the new value is.
 */
function addByFilter(
  { holder, key, attribute }: Target,
  values: readonly JsonValue[],
  filter: Filter,
  sub: string,
  op: Op,
  sent: JsonValue | undefined,
): void {
  if (op === 'remove') {
    return;
  }
  const base = op === 'add' ? equalitiesOf(filter) : undefined;
  if (base === undefined) {
    throw new ScimError(400, 'noTarget', `No value of ${key} meets the filter.`);
  }
  const made = (sub === '' ? valueChange(attribute, key, 'add', sent) : partChange(attribute, key, sub, op, sent))(base);
  requireFew([...values, made], key);
  holder[key] = withOnePrimary([...values, made], (index) => index === values.length);
}

/** A value that meets a filter of equalities: type eq "work" makes {type: "work"}. Undefined for other filters. */
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
