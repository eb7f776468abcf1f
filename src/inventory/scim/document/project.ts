/** Attributes of a resource that a reply has: those asked for, or all but those excluded (RFC 7644 section 3.9). Pure. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { urns } from './attributes.ts';
import { isObject } from './match-value.ts';

/** Attributes that a request names; empty lists where it says nothing. */
export interface Projection {
  readonly attributes: readonly string[];
  readonly excluded: readonly string[];
}

/** Never left out. */
const always: ReadonlySet<string> = new Set(['id', 'schemas']);

const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):?/i;

/** An attribute as a list of parts in lower case: schema, attribute, sub-attribute; of the core schema without the first. */
function partsOf(name: string): string[] {
  const text = name.trim().toLowerCase().replace(core, '');
  if (!text.startsWith('urn:')) {
    return text.split('.').filter((part) => part !== '');
  }
  const enterprise = urns.enterprise.toLowerCase();
  if (text === enterprise || !/:[a-z$][^:]*$/.test(text)) {
    return [text];
  }
  if (text.startsWith(`${enterprise}:`)) {
    return [enterprise, ...text.slice(enterprise.length + 1).split('.')];
  }
  return [text];
}

/** True if a reply will have an attribute of the core schema, so that what is not asked for need not be read. */
export function wants({ attributes, excluded }: Projection, name: string): boolean {
  const wanted = name.toLowerCase();
  if (attributes.length > 0) {
    return attributes.some((one) => partsOf(one)[0] === wanted);
  }
  return !excluded.some((one) => partsOf(one).join('.') === wanted);
}

/** The resource with what is asked for. */
export function project(resource: JsonObject, { attributes, excluded }: Projection): JsonObject {
  if (attributes.length > 0) {
    const paths = attributes.map(partsOf);
    const kept = keep(resource, paths);
    for (const name of Object.keys(resource)) {
      if (always.has(name) && resource[name] !== undefined) {
        kept[name] = resource[name];
      }
    }
    return kept;
  }
  return excluded.length === 0 ? resource : drop(resource, excluded.map(partsOf), true);
}

function keep(object: JsonObject, paths: readonly string[][]): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const here = paths.filter((path) => path[0] === key.toLowerCase());
    if (here.some((path) => path.length === 1)) {
      out[key] = value;
    } else if (here.length > 0) {
      const inner = here.map((path) => path.slice(1));
      out[key] = each(value, (one) => keep(one, inner));
    }
  }
  return out;
}

function drop(object: JsonObject, paths: readonly string[][], isTop: boolean): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const here = isTop && always.has(key) ? [] : paths.filter((path) => path[0] === key.toLowerCase());
    if (here.some((path) => path.length === 1)) {
      continue;
    }
    const inner = here.map((path) => path.slice(1));
    out[key] = inner.length === 0 ? value : each(value, (one) => drop(one, inner, false));
  }
  return out;
}

function each(value: JsonValue, change: (one: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(value)) {
    return value.map((one) => (isObject(one) ? change(one) : one));
  }
  return isObject(value) ? change(value) : value;
}
