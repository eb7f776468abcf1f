// Writes the type of each message's row to a folder of generated code: what a service answers, before wire/write.ts spells it as JSON. Every field of
// the message must be there, if only as undefined; members of a oneof, optional fields and expanded objects may be left out.
// `npm run generate` runs this.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getOption, ScalarType } from '@bufbuild/protobuf';

const [folder] = process.argv.slice(2);
const explicit = 1;
const wholeNumbers = new Set([ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64, ScalarType.SFIXED64]);
const wellKnown = {
  'google.protobuf.Timestamp': 'Time',
  'google.protobuf.Duration': 'string',
  'google.protobuf.FieldMask': 'string',
  'google.protobuf.Struct': 'object',
  'google.protobuf.Value': 'unknown',
  'google.protobuf.ListValue': 'readonly unknown[]',
  'google.protobuf.Any': 'Packed | Stored',
};

const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('_pb.js'));
const modules = await Promise.all(names.map((name) => import(pathToFileURL(join(folder, name)).href)));
const files = modules.flatMap((module) => Object.values(module)).filter((value) => value?.kind === 'file');

/** Returns the messages with those inside them. */
function listMessages(messages) {
  return messages.flatMap((message) => [message, ...listMessages(message.nestedMessages)]);
}

/** The values of an enum, with and without what their names begin with. */
function valuesOf(desc) {
  const prefix = desc.sharedPrefix?.toUpperCase() ?? '';
  const values = desc.values.flatMap(({ name }) => [name, name.startsWith(prefix) ? name.slice(prefix.length) : name]);
  return [...new Set(values)].map((value) => `'${value}'`).join(' | ');
}

function singleOf(field) {
  if (field.message !== undefined) {
    return wellKnown[field.message.typeName] ?? `Rows['${field.message.typeName}']`;
  }
  if (field.enum !== undefined) {
    return valuesOf(field.enum);
  }
  switch (field.scalar) {
    case ScalarType.BOOL:
      return 'boolean';
    case ScalarType.STRING:
      return 'string';
    case ScalarType.BYTES:
      return 'Uint8Array | string';
    default:
      return wholeNumbers.has(field.scalar) ? 'Whole' : 'number';
  }
}

function typeOf(field) {
  switch (field.fieldKind) {
    case 'list':
      return `ReadonlyArray<${singleOf(field)}>`;
    case 'map':
      return `Readonly<Record<string, ${singleOf(field)}>>`;
    default:
      return singleOf(field);
  }
}

/** True for members of a oneof, optional fields, and objects that are expanded where that is asked for. */
function mayBeAbsent(field) {
  const isAny = field.message?.typeName === 'google.protobuf.Any';
  return isAny || field.oneof !== undefined || (field.fieldKind !== 'message' && field.presence === explicit);
}

const messages = listMessages(files.flatMap((file) => file.messages));
const { server_owned } = modules.find((module) => 'server_owned' in module);
const owned = messages.flatMap((message) => {
  const fields = message.fields.filter((field) => getOption(field, server_owned)).map((field) => `'${field.jsonName}'`);
  return fields.length === 0 ? [] : [`  '${message.typeName}': ${fields.join(' | ')};\n`];
});
const members = messages.map((message) => {
  const fields = message.fields.map(
    (field) => `    readonly ${field.jsonName}${mayBeAbsent(field) ? '?' : ''}: ${typeOf(field)} | Unset;\n`,
  );
  return `  '${message.typeName}': {\n${fields.join('')}  };\n`;
});
const text = `import type { DescMessage } from '@bufbuild/protobuf';
/** Nothing: the default is answered, or the field is left out where it has none. */
type Unset = null | undefined;
/** A time; a text is one in RFC 3339, or as PostgreSQL's JSON has it. */
type Time = Date | string;
/** An integer of up to 64 bits. */
type Whole = number | bigint | string;
/** A message that is kept as JSON. */
interface Stored { readonly '@type': string }
/** A row of a message whose type goes with it. */
interface Packed { readonly desc: DescMessage; readonly row: object }
/** The row of each message, by its full name. */
export interface Rows {
${members.sort().join('')}}
/** The fields of each message that no client writes, by its full name; messages without one are not here. */
export interface Owned {
${owned.sort().join('')}}
`;
writeFileSync(join(folder, 'rows.d.ts'), text);
