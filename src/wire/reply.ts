/**
 * Replies: plain objects of the contract's JSON types, completed with the defaults that must never be absent. Whether a reply
 * keeps the contract is checked in check-reply.ts.
 */
import type { DescField, DescMessage, JsonObject, JsonValue, MessageJsonType } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { hasPresence } from './plan.ts';

/** How a message is completed; made once for each. */
interface Template {
  readonly complete: (fields: JsonObject) => JsonObject;
  /** Fields that hold messages of the contract, for `shapeDeep`. */
  readonly inner: ReadonlyMap<string, { readonly desc: DescMessage; readonly kind: 'message' | 'list' | 'map' }>;
}

const templates = new WeakMap<DescMessage, Template>();

/**
 * The message with the defaults of unset scalars and enums (their zero name), `[]` for lists and `{}` for maps. Unset messages, times,
 * oneof members and optional fields stay out; members that are undefined or null are dropped. Only this level; see `shapeDeep`.
 */
export function shape<D extends DescMessage>(desc: D, fields: MessageJsonType<D>): MessageJsonType<D> {
  return (templates.get(desc) ?? makeTemplate(desc)).complete(fields as JsonObject) as MessageJsonType<D>;
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

function completeDeep(desc: DescMessage, fields: JsonObject): JsonObject {
  const template = templates.get(desc) ?? makeTemplate(desc);
  const out = template.complete(fields);
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
  const inner = new Map<string, { desc: DescMessage; kind: 'message' | 'list' | 'map' }>();
  for (const field of desc.fields) {
    const message = field.message;
    if (message !== undefined && !message.typeName.startsWith('google.protobuf.')) {
      inner.set(field.jsonName, {
        desc: message,
        kind: field.fieldKind === 'list' || field.fieldKind === 'map' ? field.fieldKind : 'message',
      });
    }
  }
  const template: Template = { complete: compile(desc), inner };
  templates.set(desc, template);
  return template;
}

/**
 * A function written for this message alone, because a reply of 100 rows is shaped 300 times: a loop over the fields takes 3 us
 * for a review, this a tenth. Only names and defaults of the contract go into its text.
 */
function compile(desc: DescMessage): (fields: JsonObject) => JsonObject {
  const always: string[] = [];
  const ifSet: string[] = [];
  for (const field of desc.fields) {
    const name = JSON.stringify(field.jsonName);
    const value = emptyOf(field);
    if (value === undefined) {
      ifSet.push(`value = fields[${name}]; if (value !== undefined && value !== null) out[${name}] = value;`);
    } else {
      always.push(`${name}: fields[${name}] ?? ${JSON.stringify(value)}`);
    }
  }
  const text = `const out = {${always.join(', ')}}; let value; ${ifSet.join(' ')} return out;`;
  return new Function('fields', text) as (fields: JsonObject) => JsonObject;
}

/** What an unset field is written as; undefined: not at all. */
function emptyOf(field: DescField): JsonValue | undefined {
  switch (field.fieldKind) {
    case 'list':
      return [];
    case 'map':
      return {};
    case 'message':
      return undefined;
    default:
      return hasPresence(field) ? undefined : defaultOf(field);
  }
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
