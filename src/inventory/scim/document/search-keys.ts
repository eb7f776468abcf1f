/**
 * Attributes of users that filters can name, and what is kept of each for them: texts in lower case unless their case matters, by the attribute's
 * path in lower case; multi-valued attributes as lists of such objects. Pure.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type Attribute, schemas, urns } from './attributes.ts';
import { isObject } from './match-value.ts';
import { documentSchemas } from './read-document.ts';

/** Returns the form that texts are compared in, whatever their case. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

/** An attribute with a text or a flag, or such a part of one, that filters can name. */
export interface Searchable {
  /** As the schema writes it: name.familyName. */
  readonly name: string;
  readonly isEnterprise: boolean;
  readonly attribute: string;
  /** '' for an attribute without parts. */
  readonly part: string;
  /** Place among the keys: its path, or, of an attribute with many values, the list of them, in which `sub` is the part. */
  readonly key: string;
  readonly sub: string;
  readonly isMany: boolean;
  readonly isFlag: boolean;
  readonly caseExact: boolean;
}

/** In columns of their own, derived, or of no use in a filter. */
const elsewhere = new Set(['userName', 'active', 'groups', 'photos', 'x509Certificates']);
const enterpriseKey = urns.enterprise.toLowerCase();

const isPlain = ({ type }: Attribute): boolean => type === 'string' || type === 'reference' || type === 'boolean';

function searchablesOf(attribute: Attribute, isEnterprise: boolean): Searchable[] {
  const key = `${isEnterprise ? `${enterpriseKey}:` : ''}${attribute.name.toLowerCase()}`;
  const name = `${isEnterprise ? `${urns.enterprise}:` : ''}${attribute.name}`;
  const { multiValued: isMany, subAttributes = [] } = attribute;
  const common = { isEnterprise, attribute: attribute.name, isMany };
  const natureOf = ({ type, caseExact }: Attribute) => ({ isFlag: type === 'boolean', caseExact: caseExact === true });
  if (attribute.type !== 'complex') {
    return isPlain(attribute) ? [{ ...common, ...natureOf(attribute), name, part: '', key, sub: '' }] : [];
  }
  return subAttributes.filter(isPlain).map((sub) => {
    const part = sub.name.toLowerCase();
    const place = isMany ? { key, sub: part } : { key: `${key}.${part}`, sub: '' };
    return { ...common, ...natureOf(sub), ...place, name: `${name}.${sub.name}`, part: sub.name };
  });
}

/** All of them but those in columns. */
export const searchables: readonly Searchable[] = [
  ...schemas.user.attributes.filter(({ name }) => !elsewhere.has(name)).flatMap((one) => searchablesOf(one, false)),
  ...schemas.enterprise.attributes.flatMap((one) => searchablesOf(one, true)),
];

const schemasAttribute: Searchable = {
  name: 'schemas',
  isEnterprise: false,
  attribute: 'schemas',
  part: '',
  key: 'schemas',
  sub: 'value',
  isMany: true,
  isFlag: false,
  caseExact: false,
};

/** The paths by which filters name one: an attribute with parts means its value; a manager is asked for without the schema, too. */
function pathsOf(one: Searchable): string[] {
  const path = one.isMany ? `${one.key}.${one.sub}` : one.key;
  const paths = path.endsWith('.value') ? [path, path.slice(0, -'.value'.length)] : [path];
  const withoutSchema = one.attribute === 'manager' ? paths.map((each) => each.slice(enterpriseKey.length + 1)) : [];
  return [...paths, ...withoutSchema];
}

/** Attributes filters can name, by the path in lower case. */
export const searchablesByPath: ReadonlyMap<string, Searchable> = new Map(
  [schemasAttribute, ...searchables].flatMap((one) => pathsOf(one).map((path) => [path, one] as const)),
);

/** Picks what is kept of a user's document. */
export function keysOfUser(document: JsonObject): JsonObject {
  const extension = document[urns.enterprise];
  const keys: JsonObject = { schemas: documentSchemas('USER', document).map((urn) => ({ value: foldText(urn) })) };
  for (const one of searchables) {
    const from = one.isEnterprise ? (isObject(extension) ? extension : {}) : document;
    const value = from[one.attribute];
    if (value === undefined) {
      continue;
    }
    if (one.isMany) {
      keepInList(keys, one, Array.isArray(value) ? value : []);
    } else {
      keep(keys, one.key, one, one.part === '' ? value : partOf(value, one.part));
    }
  }
  return keys;
}

function keepInList(keys: JsonObject, one: Searchable, values: readonly JsonValue[]): void {
  const kept = (keys[one.key] ?? values.map(() => ({}))) as JsonObject[];
  keys[one.key] = kept;
  values.forEach((value, index) => {
    keep(kept[index] ?? {}, one.sub, one, partOf(value, one.part));
  });
}

function partOf(value: JsonValue, part: string): JsonValue | undefined {
  return isObject(value) ? value[part] : undefined;
}

function keep(keys: JsonObject, name: string, { isFlag, caseExact }: Searchable, value: JsonValue | undefined): void {
  if (isFlag) {
    // What does not say that it is primary is not (RFC 7643 section 2.4).
    keys[name] = String(value === true);
  } else if (typeof value === 'string' && value !== '') {
    keys[name] = caseExact ? value : foldText(value);
  }
}
