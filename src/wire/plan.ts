/**
 * Finds what the contract says about fields, by name: both spellings, presence, our own options. Everything in wire that walks JSON by a descriptor
 * starts here.
 */
import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { server_owned } from '../gen/countersign/options_pb.js';

const fieldsByMessage = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();
const serverOwnedByMessage = new WeakMap<DescMessage, ReadonlySet<string>>();

/** The fields of a message by every spelling a client may use: page_size and pageSize. */
export function fieldsByName(desc: DescMessage): ReadonlyMap<string, DescField> {
  let fields = fieldsByMessage.get(desc);
  if (fields === undefined) {
    fields = new Map(
      desc.fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const, [field.localName, field] as const]),
    );
    fieldsByMessage.set(desc, fields);
  }
  return fields;
}

/** The JSON names of the fields of a message that a client never writes. */
export function serverOwnedNames(desc: DescMessage): ReadonlySet<string> {
  let names = serverOwnedByMessage.get(desc);
  if (names === undefined) {
    names = new Set(desc.fields.filter((field) => getOption(field, server_owned)).map((field) => field.jsonName));
    serverOwnedByMessage.set(desc, names);
  }
  return names;
}

/** True if a scalar or enum can be unset (`optional`, member of a oneof), so that its default is not written for it. */
export function hasPresence(field: DescField): boolean {
  return field.oneof !== undefined || field.presence === FeatureSet_FieldPresence.EXPLICIT;
}

/** True if a field holds a message of the contract that paths may lead into (not a time, a struct or another well-known type). */
export function isOpenMessage(field: DescField): field is DescField & { fieldKind: 'message' } {
  return field.fieldKind === 'message' && !field.message.typeName.startsWith('google.protobuf.');
}
