/**
 * Resources as identity providers send them, made uniform: attributes under their names in the schema, values of their types, nothing that is
 * empty. Attributes nobody here knows are kept as they are. What the server owns is left out; members of groups are read elsewhere.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type Attribute, urns } from './attributes.ts';
import { ScimError } from './errors.ts';
import { attributesOf, type ByName, byName, coreUrns, findSub, isCoreUrn, isEnterpriseUrn } from './find-attribute.ts';
import { isObject } from './match-value.ts';
import type { ResourceKind } from './store-resources.ts';

/** Members that are never kept: the server's own attributes, derived ones, secrets. */
const dropped: Readonly<Record<ResourceKind, ReadonlySet<string>>> = {
  USER: new Set(['schemas', 'id', 'meta', 'groups', 'password', urns.own.toLowerCase()]),
  GROUP: new Set(['schemas', 'id', 'meta', 'members']),
};

/** Of texts that become columns and keys of indexes. */
const maxKeyLength = 300;
const maxTextLength = 1000;
/** Most values of an attribute, and most attributes of a resource; members of groups are no attribute here. */
const maxValues = 1000;

/** The resource in a body; 400 where it is no object, is of another schema, lacks what it needs, or has a value of a wrong type. */
export function readDocument(kind: ResourceKind, body: JsonValue | undefined): JsonObject {
  if (!isObject(body)) {
    throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object.');
  }
  if (Object.keys(body).length > maxValues) {
    throw new ScimError(400, 'invalidValue', `A resource has at most ${maxValues} attributes.`);
  }
  requireSchema(kind, body);
  const document: JsonObject = {};
  const add = (key: string, value: JsonValue): void => {
    const name = key.toLowerCase();
    if (dropped[kind].has(name)) {
      return;
    }
    if (isCoreUrn(kind, key) && isObject(value)) {
      for (const [inner, member] of Object.entries(value)) {
        add(inner, member);
      }
      return;
    }
    if (isEnterpriseUrn(kind, key)) {
      const read = isObject(value) ? readMembers(value, attributesOf(kind, urns.enterprise), `${key}:`) : value;
      if (isObject(read) ? Object.keys(read).length > 0 : read !== null) {
        document[urns.enterprise] = isObject(read) ? read : refuse(key, 'an object');
      }
      return;
    }
    const attribute = attributesOf(kind, '').get(name);
    const read = readValue(value, attribute, key);
    if (read !== undefined) {
      document[attribute?.name ?? key] = read;
    }
  };
  for (const [key, value] of Object.entries(body)) {
    add(key, value);
  }
  requireTexts(kind, document);
  return document;
}

/** The schemas a document is of, for its reply. */
export function documentSchemas(kind: ResourceKind, document: JsonObject): string[] {
  return [coreUrns[kind], ...Object.keys(document).filter((key) => /^urn:/i.test(key) && isObject(document[key]))];
}

function requireSchema(kind: ResourceKind, body: JsonObject): void {
  const key = Object.keys(body).find((name) => name.toLowerCase() === 'schemas');
  const named = key === undefined ? undefined : body[key];
  if (named === undefined) {
    return;
  }
  if (!Array.isArray(named) || !named.some((one) => String(one).toLowerCase() === coreUrns[kind].toLowerCase())) {
    throw new ScimError(400, 'invalidValue', `schemas must name ${coreUrns[kind]}.`);
  }
}

function readMembers(object: JsonObject, attributes: ByName, place: string): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const attribute = attributes.get(key.toLowerCase());
    const read = readValue(value, attribute, `${place}${key}`);
    if (read !== undefined) {
      out[attribute?.name ?? key] = read;
    }
  }
  return out;
}

/** The value as its attribute has it; undefined for one that is empty: null, no values, no members (RFC 7643 section 2.5). */
export function readValue(value: JsonValue, attribute: Attribute | undefined, place: string): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  if (attribute === undefined) {
    return value;
  }
  if (attribute.multiValued) {
    const list = Array.isArray(value) ? value : [value];
    requireFew(list, place);
    const present = list.map((one, index) => readSingle(one, attribute, `${place}[${index}]`)).filter((one) => one !== undefined);
    return present.length === 0 ? undefined : present;
  }
  // Some providers send the one value of a single-valued attribute as a list.
  return readSingle(Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value, attribute, place);
}

/** 400 where an attribute has more values than are kept. */
export function requireFew(values: readonly JsonValue[], place: string): void {
  if (values.length > maxValues) {
    throw new ScimError(400, 'invalidValue', `${place} must not have more than ${maxValues} values.`);
  }
}

function readSingle(value: JsonValue, attribute: Attribute, place: string): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  switch (attribute.type) {
    case 'complex': {
      // A text stands for the attribute's value, as providers send a manager.
      const isWhole = typeof value === 'string' && (value === '' || findSub(attribute, 'value') !== undefined);
      const object = isWhole ? (value === '' ? {} : { value }) : value;
      if (!isObject(object)) {
        refuse(place, 'an object');
      }
      const read = readMembers(object, byName(attribute.subAttributes ?? []), `${place}.`);
      return Object.keys(read).length === 0 ? undefined : read;
    }
    case 'boolean':
      return readBoolean(value, place);
    default:
      if (typeof value === 'number' || typeof value === 'boolean') {
        return String(value);
      }
      if (typeof value !== 'string') {
        refuse(place, 'a text');
      }
      return value;
  }
}

/** True and false, which some providers send as texts with a capital. */
function readBoolean(value: JsonValue, place: string): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') {
    return true;
  }
  if (word === false || word === 'false') {
    return false;
  }
  return refuse(place, 'true or false');
}

function refuse(place: string, wanted: string): never {
  throw new ScimError(400, 'invalidValue', `${place} must be ${wanted}.`);
}

function requireTexts(kind: ResourceKind, document: JsonObject): void {
  const name = kind === 'USER' ? 'userName' : 'displayName';
  const value = document[name];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new ScimError(400, 'invalidValue', `${name} is needed.`);
  }
  const extension = document[urns.enterprise];
  const employeeNumber = isObject(extension) ? extension.employeeNumber : undefined;
  const keys = { userName: document.userName, externalId: document.externalId, employeeNumber };
  const texts = { displayName: document.displayName, title: document.title, userType: document.userType };
  for (const [list, limit] of [
    [keys, maxKeyLength],
    [texts, maxTextLength],
  ] as const) {
    for (const [place, one] of Object.entries(list)) {
      if (typeof one === 'string' && one.length > limit) {
        throw new ScimError(400, 'invalidValue', `${place} must not be longer than ${limit} characters.`);
      }
    }
  }
}
