/**
 * Replies as JSON text, from rows. Each message has a function of its own, written when it is first used, because a reply of 100 rows holds
 * 300 messages: it makes the object with the defaults in one literal, and JSON.stringify does the rest. Joining the text piece by piece was
 * slower. The text is that of `shape` in reply.ts; only names and defaults of the contract go into the functions.
 */
import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { emptyOf, isWhole } from './reply.ts';
import { enumNames, isPacked, type Packed, timeText, typePrefix } from './row.ts';

type Write = (value: unknown) => unknown;

/** Holds the function of a message, so that a message can hold itself. */
interface Writer {
  write: Write;
}

const writers = new WeakMap<DescMessage, Writer>();
const enums = new WeakMap<DescEnum, Write>();

/** The text of a row of this message. */
export function writeJson(desc: DescMessage, row: unknown): string {
  return JSON.stringify(writerOf(desc).write(row));
}

function writerOf(desc: DescMessage): Writer {
  let writer = writers.get(desc);
  if (writer === undefined) {
    const made: Writer = {
      write(value) {
        made.write = compile(desc);
        return made.write(value);
      },
    };
    writer = made;
    writers.set(desc, writer);
  }
  return writer;
}

const writeBytes: Write = (value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value);
const writeWhole: Write = (value) => String(value);
const writeTime: Write = (value) => timeText(value as Date);
const asItIs: Write = (value) => value;

function writePacked(value: unknown): unknown {
  if (!isPacked(value as Packed)) {
    return value;
  }
  const { desc, row } = value as Packed;
  return { '@type': `${typePrefix}${desc.typeName}`, ...(writerOf(desc).write(row) as object) };
}

function enumWriter(desc: DescEnum): Write {
  let write = enums.get(desc);
  if (write === undefined) {
    const names = enumNames(desc);
    write = (value) => names.get(value as string) ?? value;
    enums.set(desc, write);
  }
  return write;
}

/** Returns what spells one value of a field. */
function singleWriter(field: DescField): Write | Writer {
  if (field.enum !== undefined) {
    return enumWriter(field.enum);
  }
  if (field.message !== undefined) {
    return messageWriter(field.message);
  }
  switch (field.scalar) {
    case ScalarType.BYTES:
      return writeBytes;
    default:
      return field.scalar !== undefined && isWhole(field.scalar) ? writeWhole : asItIs;
  }
}

function messageWriter(desc: DescMessage): Write | Writer {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return writeTime;
    case 'google.protobuf.Any':
      return writePacked;
    default:
      return desc.typeName.startsWith('google.protobuf.') ? asItIs : writerOf(desc);
  }
}

/** The expression for `value` by the writer of this number; lists and maps whose values stay as they are stay, too. */
function callOf(field: DescField, writer: Write | Writer, number: number): string {
  if (writer === asItIs) {
    return 'value';
  }
  const one = typeof writer === 'function' ? `w${number}` : `w${number}.write`;
  switch (field.fieldKind) {
    case 'list':
      return `value.map((value) => ${one}(value))`;
    case 'map':
      return `Object.fromEntries(Object.entries(value).map(([key, value]) => [key, ${one}(value)]))`;
    default:
      return `${one}(value)`;
  }
}

function compile(desc: DescMessage): Write {
  const always: string[] = [];
  const ifSet: string[] = [];
  const used: (Write | Writer)[] = [];
  for (const field of desc.fields) {
    const name = JSON.stringify(field.jsonName);
    const writer = singleWriter(field);
    const text = callOf(field, writer, used.push(writer) - 1);
    const empty = emptyOf(field);
    if (empty === undefined) {
      ifSet.push(`value = row[${name}]; if (value !== undefined && value !== null) out[${name}] = ${text};`);
    } else if (writer === asItIs) {
      always.push(`${name}: row[${name}] ?? ${JSON.stringify(empty)}`);
    } else {
      always.push(`${name}: (value = row[${name}]) === undefined || value === null ? ${JSON.stringify(empty)} : ${text}`);
    }
  }
  const names = used.map((_, number) => `w${number}`);
  const body = `let value; const out = { ${always.join(',\n')} };\n${ifSet.join('\n')}\nreturn out;`;
  return new Function(...names, `return (row) => { ${body} };`)(...used) as Write;
}
