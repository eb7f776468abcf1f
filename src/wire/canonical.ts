/**
 * One fixed form for the JSON of a message, for what is stored as JSON and answered again: every scalar, enum, list and map is there,
 * names are whole, times end in Z and have at most microseconds, and nothing in it is the server's. Parsing requests is not here.
 */
import {
  type DescMessage,
  fromJson,
  getOption,
  hasOption,
  isFieldSet,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { server_owned } from '../gen/countersign/options_pb.js';
import type { JsonOf } from './row.ts';

type DescField = DescMessage['fields'][number];

function isServerOwned(field: DescField): boolean {
  return hasOption(field, server_owned) && getOption(field, server_owned);
}

function tidy(message: ReflectMessage): void {
  if (message.desc.typeName === TimestampSchema.typeName) {
    const timestamp = message.message as Message & { nanos: number };
    timestamp.nanos -= timestamp.nanos % 1000;
    return;
  }
  for (const field of message.fields) {
    if (isServerOwned(field)) {
      message.clear(field);
    } else if (message.isSet(field)) {
      tidyField(message, field);
    }
  }
}

function tidyField(message: ReflectMessage, field: DescField): void {
  if (field.fieldKind === 'message') {
    tidy(message.get(field));
  } else if (field.fieldKind === 'list' && field.listKind === 'message') {
    for (const item of message.get(field)) {
      tidy(item as ReflectMessage);
    }
  } else if (field.fieldKind === 'map' && field.mapKind === 'message') {
    for (const item of message.get(field).values()) {
      tidy(item as ReflectMessage);
    }
  }
}

/**
 * The JSON of a message in its fixed form: the same content is always the same JSON, so two can be compared member by member. Members
 * the message does not have are left out, and so are those the server owns (inside other messages: set to their defaults).
 * `json` must have passed the request parser; what it would have refused throws here as an internal error.
 */
export function canonicalise<D extends DescMessage>(desc: D, json: JsonOf<D>): JsonOf<D>;
export function canonicalise(desc: DescMessage, json: JsonObject): JsonObject {
  const message = fromJson(desc, json as JsonValue, { ignoreUnknownFields: true });
  tidy(reflect(desc, message));
  const result = toJson(desc, message, { alwaysEmitImplicit: true }) as JsonObject;
  for (const field of desc.fields) {
    if (isServerOwned(field) && !isFieldSet(message, field)) {
      delete result[field.jsonName];
    }
  }
  return result;
}
