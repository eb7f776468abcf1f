/**
 * A strict look at a reply before it leaves: used by tests and, where COUNTERSIGN_CHECK_REPLIES is 1, by the server. Costs more than
 * making the reply, so production does without.
 */
import { type DescEnum, type DescField, type DescMessage, type Registry, ScalarType } from '@bufbuild/protobuf';
import { AppError } from '../errors.ts';
import { isJsonObject } from '../lib/json.ts';
import { hasPresence } from './plan.ts';
import { isDuration, normalizeTimestamp } from './timestamps.ts';

/**
 * Throws INTERNAL, with all faults in its detail, unless `json` is exactly what the contract says a reply of this message is. With a
 * registry expanded objects are held to the type they name too.
 */
export function checkReply(desc: DescMessage, json: unknown, registry?: Registry): void {
  const faults: string[] = [];
  checkMessage(desc, json, desc.name, faults);
  if (registry !== undefined && isJsonObject(json) && Array.isArray(json['expanded'])) {
    checkExpanded(json['expanded'], registry, faults);
  }
  if (faults.length > 0) {
    throw new AppError('INTERNAL', 'The server made a reply that breaks its contract.', { detail: faults.slice(0, 20).join('; ') });
  }
}

function checkExpanded(expanded: readonly unknown[], registry: Registry, faults: string[]): void {
  for (const [index, item] of expanded.entries()) {
    const { '@type': type, ...fields } = item as Record<string, unknown>;
    const path = `expanded[${index}]`;
    const desc = typeof type === 'string' ? registry.getMessage(type.slice(type.indexOf('/') + 1)) : undefined;
    if (desc === undefined) {
      faults.push(`${path} has an unknown @type`);
    } else {
      checkMessage(desc, fields, path, faults);
    }
  }
}

function checkMessage(desc: DescMessage, json: unknown, path: string, faults: string[]): void {
  if (!isJsonObject(json)) {
    faults.push(`${path} is not an object`);
    return;
  }
  const known = new Set<string>();
  const membersByOneof = new Map<string, string[]>();
  for (const field of desc.fields) {
    known.add(field.jsonName);
    const value = json[field.jsonName];
    const at = `${path}.${field.jsonName}`;
    if (value === undefined) {
      if (mustBePresent(field)) {
        faults.push(`${at} is missing`);
      }
      continue;
    }
    if (field.oneof !== undefined) {
      membersByOneof.set(field.oneof.name, [...(membersByOneof.get(field.oneof.name) ?? []), field.jsonName]);
    }
    checkField(field, value, at, faults);
  }
  for (const key of Object.keys(json)) {
    if (!known.has(key) && json[key] !== undefined) {
      faults.push(`${path}.${key} is not in the contract`);
    }
  }
  for (const [oneof, members] of membersByOneof) {
    if (members.length > 1) {
      faults.push(`${path} has ${members.join(' and ')}, members of ${oneof}`);
    }
  }
}

function mustBePresent(field: DescField): boolean {
  return field.fieldKind === 'list' || field.fieldKind === 'map' || (field.fieldKind !== 'message' && !hasPresence(field));
}

function checkField(field: DescField, value: unknown, path: string, faults: string[]): void {
  switch (field.fieldKind) {
    case 'list':
      if (!Array.isArray(value)) {
        faults.push(`${path} is not an array`);
        return;
      }
      for (const [index, item] of value.entries()) {
        checkValue(field, item, `${path}[${index}]`, faults);
      }
      return;
    case 'map':
      if (!isJsonObject(value)) {
        faults.push(`${path} is not an object`);
        return;
      }
      for (const [key, item] of Object.entries(value)) {
        checkValue(field, item, `${path}.${key}`, faults);
      }
      return;
    default:
      checkValue(field, value, path, faults);
  }
}

function checkValue(field: DescField, value: unknown, path: string, faults: string[]): void {
  if (field.message !== undefined) {
    checkMessageValue(field.message, value, path, faults);
  } else if (field.enum !== undefined) {
    checkEnum(field.enum, value, path, faults);
  } else if (field.scalar !== undefined && !isScalar(field.scalar, value)) {
    faults.push(`${path} is not a ${ScalarType[field.scalar]}`);
  }
}

function checkEnum(desc: DescEnum, value: unknown, path: string, faults: string[]): void {
  if (!desc.values.some(({ name }) => name === value)) {
    faults.push(`${path} is not a value of ${desc.name}`);
  }
}

function checkMessageValue(desc: DescMessage, value: unknown, path: string, faults: string[]): void {
  const isRight = wellKnown[desc.typeName];
  if (isRight === undefined) {
    checkMessage(desc, value, path, faults);
  } else if (!isRight(value)) {
    faults.push(`${path} is not a ${desc.typeName}`);
  }
}

const wellKnown: Readonly<Record<string, ((value: unknown) => boolean) | undefined>> = {
  'google.protobuf.Timestamp': (value) => typeof value === 'string' && normalizeTimestamp(value) === value,
  'google.protobuf.Duration': (value) => typeof value === 'string' && isDuration(value),
  'google.protobuf.FieldMask': (value) => typeof value === 'string',
  'google.protobuf.Struct': isJsonObject,
  'google.protobuf.Value': () => true,
  'google.protobuf.ListValue': Array.isArray,
  'google.protobuf.Any': (value) =>
    isJsonObject(value) && typeof value['@type'] === 'string' && value['@type'].startsWith('type.googleapis.com/'),
};

function isScalar(scalar: ScalarType, value: unknown): boolean {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return typeof value === 'string';
    case ScalarType.BOOL:
      return typeof value === 'boolean';
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return typeof value === 'string' && /^-?\d+$/.test(value);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return Number.isInteger(value);
  }
}
