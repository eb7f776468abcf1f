/**
 * What an identity provider sends as a resource, made uniform: attributes under their names in the schema, values of their types, nothing that
 * is empty. Attributes nobody here knows are kept as they are. What the server owns is left out; members of groups are read elsewhere.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type Attribute, commonAttributes, schemas, urns } from './attributes.ts';
import { ScimError } from './errors.ts';
import { isObject } from './match-value.ts';
import type { ResourceKind } from './store-resources.ts';

/** What is never kept of what is sent: the server's own attributes, derived ones, secrets. */
const dropped: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'groups', 'password']);
const droppedOfGroups: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'members']);

/** Of texts that become columns and keys of indexes. */
const maxKeyLength = 300;
const maxTextLength = 1000;

type ByName = ReadonlyMap<string, Attribute>;

const byName = (attributes: readonly Attribute[]): ByName => new Map(attributes.map((one) => [one.name.toLowerCase(), one]));
const known: Readonly<Record<ResourceKind, ByName>> = {
  USER: byName([...schemas.user.attributes, ...commonAttributes]),
  GROUP: byName([...schemas.group.attributes, ...commonAttributes]),
};
const enterprise = byName(schemas.enterprise.attributes);
const coreUrns: Readonly<Record<ResourceKind, string>> = { USER: urns.user, GROUP: urns.group };

/** The resource in a body; 400 where it is no object, is of another schema, lacks what it needs, or has a value of a wrong type. */
export function readDocument(kind: ResourceKind, body: JsonValue | undefined): JsonObject {
  if (!isObject(body)) {
    throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object.');
  }
  requireSchema(kind, body);
  const drop = kind === 'USER' ? dropped : droppedOfGroups;
  const document: JsonObject = {};
  for (const [key, value] of Object.entries(body)) {
    const name = key.toLowerCase();
    if (drop.has(name)) {
      continue;
    }
    if (name === coreUrns[kind].toLowerCase() && isObject(value)) {
      Object.assign(document, readMembers(value, known[kind], ''));
      continue;
    }
    const extension = kind === 'USER' && name === urns.enterprise.toLowerCase();
    const read = extension && isObject(value) ? readMembers(value, enterprise, `${key}:`) : readValue(value, known[kind].get(name), key);
    if (read !== undefined && !(extension && isObject(read) && Object.keys(read).length === 0)) {
      document[extension ? urns.enterprise : (known[kind].get(name)?.name ?? key)] = read;
    }
  }
  requireTexts(kind, document);
  return document;
}

/** The schemas a document is of, for its reply. */
export function schemasOf(kind: ResourceKind, document: JsonObject): string[] {
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
function readValue(value: JsonValue, attribute: Attribute | undefined, place: string): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  if (attribute === undefined) {
    return value;
  }
  if (attribute.multiValued) {
    const list = (Array.isArray(value) ? value : [value]).map((one, index) => readSingle(one, attribute, `${place}[${index}]`));
    const present = list.filter((one) => one !== undefined);
    return present.length === 0 ? undefined : present;
  }
  // Some providers send the one value of a single-valued attribute as a list.
  return readSingle(Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value, attribute, place);
}

function readSingle(value: JsonValue, attribute: Attribute, place: string): JsonValue | undefined {
  if (value === null) {
    return undefined;
  }
  switch (attribute.type) {
    case 'complex': {
      // A text stands for the attribute's value, as providers send a manager.
      const object = typeof value === 'string' ? (value === '' ? {} : { value }) : value;
      if (!isObject(object)) {
        throw wrong(place, 'an object');
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
        throw wrong(place, 'a text');
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
  throw wrong(place, 'true or false');
}

function wrong(place: string, wanted: string): ScimError {
  return new ScimError(400, 'invalidValue', `${place} must be ${wanted}.`);
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
