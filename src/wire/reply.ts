/**
 * Replies: plain objects of the contract's JSON types, completed with the defaults that must never be absent. Whether a reply
 * keeps the contract is checked in check-reply.ts.
 */
import type { DescField, DescMessage, JsonObject, JsonValue, MessageJsonType } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { hasPresence } from './plan.ts';

/** What is added to a message when it is written; made once for each. */
interface Template {
  /** Scalars and enums with their defaults, in the order of the contract. */
  readonly scalars: JsonObject;
  readonly lists: readonly string[];
  readonly maps: readonly string[];
  /** Fields that hold messages of the contract, for `shapeDeep`. */
  readonly inner: ReadonlyMap<string, { readonly desc: DescMessage; readonly kind: 'message' | 'list' | 'map' }>;
}

const templates = new WeakMap<DescMessage, Template>();

/**
 * The message with the defaults of unset scalars and enums (their zero name), `[]` for lists and `{}` for maps. Unset messages, times,
 * oneof members and optional fields stay out; members that are undefined or null are dropped. Only this level; see `shapeDeep`.
 */
export function shape<D extends DescMessage>(desc: D, fields: MessageJsonType<D>): MessageJsonType<D> {
  return complete(templates.get(desc) ?? makeTemplate(desc), fields as JsonObject) as MessageJsonType<D>;
}

/** As `shape`, and so all the way down: for documents that were stored as they were sent. Takes what `sent` holds, gives a copy. */
export function shapeDeep<D extends DescMessage>(desc: D, fields: MessageJsonType<D>): MessageJsonType<D> {
  return completeDeep(desc, fields as JsonObject) as MessageJsonType<D>;
}

/** RFC 3339 in UTC with as many digits as needed; undefined where there is no time. */
export function timestamp(date: Date | null | undefined): string | undefined {
  if (date === null || date === undefined) {
    return undefined;
  }
  const text = date.toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

function complete(template: Template, fields: JsonObject): JsonObject {
  const out: JsonObject = { ...template.scalars };
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== null) {
      out[key] = value;
    }
  }
  for (const name of template.lists) {
    out[name] ??= [];
  }
  for (const name of template.maps) {
    out[name] ??= {};
  }
  return out;
}

function completeDeep(desc: DescMessage, fields: JsonObject): JsonObject {
  const template = templates.get(desc) ?? makeTemplate(desc);
  const out = complete(template, fields);
  for (const [name, { desc: innerDesc, kind }] of template.inner) {
    const value = out[name];
    if (value === undefined) {
      continue;
    }
    if (kind === 'message') {
      out[name] = completeDeep(innerDesc, value as JsonObject);
    } else if (kind === 'list') {
      out[name] = (value as JsonObject[]).map((item) => completeDeep(innerDesc, item));
    } else {
      out[name] = Object.fromEntries(
        Object.entries(value as JsonObject).map(([key, item]) => [key, completeDeep(innerDesc, item as JsonObject)]),
      );
    }
  }
  return out;
}

function makeTemplate(desc: DescMessage): Template {
  const scalars: JsonObject = {};
  const inner = new Map<string, { desc: DescMessage; kind: 'message' | 'list' | 'map' }>();
  for (const field of desc.fields) {
    if ((field.fieldKind === 'scalar' || field.fieldKind === 'enum') && !hasPresence(field)) {
      scalars[field.jsonName] = defaultOf(field);
    }
    const message = field.message;
    if (message !== undefined && !message.typeName.startsWith('google.protobuf.')) {
      inner.set(field.jsonName, { desc: message, kind: field.fieldKind === 'list' || field.fieldKind === 'map' ? field.fieldKind : 'message' });
    }
  }
  const namesOf = (kind: DescField['fieldKind']): string[] => desc.fields.filter((field) => field.fieldKind === kind).map((field) => field.jsonName);
  const template: Template = { scalars, lists: namesOf('list'), maps: namesOf('map'), inner };
  templates.set(desc, template);
  return template;
}

function defaultOf(field: DescField & { fieldKind: 'scalar' | 'enum' }): JsonValue {
  if (field.fieldKind === 'enum') {
    return field.enum.value[0]?.name ?? field.enum.values[0]?.name ?? '';
  }
  switch (field.scalar) {
    case ScalarType.BOOL:
      return false;
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return '';
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return '0';
    default:
      return 0;
  }
}
