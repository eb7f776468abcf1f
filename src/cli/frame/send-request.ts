/** From what a command was given to the request that means it: operands fill the path, options the fields of their names, as the contract describes them. */
import type { DescEnum, DescField, DescMethod, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { pathFields } from '../../client/route.ts';
import type { Client } from '../../client/index.ts';
import { detailOf, nameIn, type OperandTable, type OptionTable } from './given.ts';
import { UsageError } from './io.ts';

const timestampName = 'google.protobuf.Timestamp';

/** The request of what was given. What no field of the method takes, such as `--csv`, is left to the command. */
export async function readRequest(
  method: DescMethod,
  table: { readonly operands?: OperandTable; readonly options?: OptionTable },
  given: Readonly<Record<string, unknown>>,
  connected: { readonly client: Client },
): Promise<JsonObject> {
  const request: JsonObject = {};
  const find = (name: string): DescField | undefined => method.input.fields.find((field) => field.jsonName === name && isPlain(field));
  const inPath = pathFields(method);
  for (const operand of Object.keys(table.operands ?? {})) {
    const name = nameIn(operand);
    const field = find(name) === undefined ? inPath.find((one) => !(one in request)) : name;
    if (field !== undefined && given[name] !== undefined) {
      request[field] = given[name] as string;
    }
  }
  for (const [flags, said] of Object.entries(table.options ?? {})) {
    const detail = detailOf(said);
    const value = given[nameIn(flags)];
    const field = find(detail.field ?? nameIn(flags));
    if (field === undefined || value === undefined) {
      continue;
    }
    const mean = async (one: unknown): Promise<JsonValue> => {
      if (detail.find !== undefined) {
        return detail.find(connected.client, String(one));
      }
      const sent = detail.choices !== undefined && !Array.isArray(detail.choices) ? (detail.choices as JsonObject)[String(one)] : undefined;
      return sent ?? valueIn(field, one as JsonValue, `--${flags.split('--')[1]?.split(' ')[0]}`);
    };
    const sent = Array.isArray(value) ? await Promise.all(value.map(mean)) : await mean(value);
    request[field.jsonName] = field.fieldKind === 'list' && !Array.isArray(sent) ? [sent] : sent;
  }
  return request;
}

/** Says whether a word of the command line can be a value of the field. */
function isPlain({ message, fieldKind }: DescField): boolean {
  return fieldKind !== 'map' && (message === undefined || message.typeName === timestampName);
}

/** A value as the field takes it: the whole name of an enum's value, a time in UTC. */
function valueIn(field: DescField, value: JsonValue, flag: string): JsonValue {
  if (field.enum !== undefined && typeof value === 'string') {
    return `${enumPrefix(field.enum)}${value.toUpperCase().replaceAll('-', '_')}`;
  }
  return field.message?.typeName === timestampName ? readTime(flag, String(value)) : value;
}

/** Returns the prefix of an enum's value names. */
export function enumPrefix(type: DescEnum): string {
  return type.sharedPrefix?.toUpperCase() ?? '';
}

/** Words of an enum's values on the command line. */
export function wordsOf(type: DescEnum): string[] {
  const words = type.values.filter(({ number }) => number !== 0).map(({ name }) => name.slice(enumPrefix(type).length));
  return words.map((word) => word.toLowerCase().replaceAll('_', '-'));
}

/** A moment as it is sent; UsageError for what is none. */
export function readTime(flag: string, text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`${flag} must be a time such as 2026-01-31T09:00:00Z, not "${text}"`);
  }
  return time.toISOString();
}
