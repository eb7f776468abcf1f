/** The types of expressions, as the checker knows them before anything is evaluated. */
import type { ObjectName } from './objects.ts';

/** A type. `dyn` is what only the evaluation knows: values of profiles. Types of keys are not distinguished. */
export type Type =
  | { readonly kind: 'bool' | 'int' | 'double' | 'string' | 'null' | 'timestamp' | 'duration' | 'type' | 'dyn' }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'object'; readonly name: ObjectName };

export const boolType: Type = { kind: 'bool' };
export const intType: Type = { kind: 'int' };
export const doubleType: Type = { kind: 'double' };
export const stringType: Type = { kind: 'string' };
export const nullType: Type = { kind: 'null' };
export const timestampType: Type = { kind: 'timestamp' };
export const durationType: Type = { kind: 'duration' };
export const typeType: Type = { kind: 'type' };
export const dynType: Type = { kind: 'dyn' };

/** A list of these. */
export function listOf(of: Type): Type {
  return { kind: 'list', of };
}

/** A map to these. */
export function mapType(of: Type): Type {
  return { kind: 'map', of };
}

/** An object of this name. */
export function objectOf(name: ObjectName): Type {
  return { kind: 'object', name };
}

/** True if a value of this type may stand where `wanted` is asked for. What is dyn may be anything. */
export function fits(type: Type, wanted: Type): boolean {
  if (type.kind === 'dyn' || wanted.kind === 'dyn') {
    return true;
  }
  if (type.kind === 'object' && wanted.kind === 'object') {
    return type.name === wanted.name;
  }
  if ((type.kind === 'list' || type.kind === 'map') && (wanted.kind === 'list' || wanted.kind === 'map')) {
    return type.kind === wanted.kind && fits(type.of, wanted.of);
  }
  return type.kind === wanted.kind || (type.kind === 'null' && wanted.kind === 'object');
}

/** One type for both: dyn where they differ, the object where the other is null. */
export function join(left: Type, right: Type): Type {
  if (left.kind === 'null' && right.kind === 'object') {
    return right;
  }
  if (left.kind === 'object' && right.kind === 'null') {
    return left;
  }
  if ((left.kind === 'list' || left.kind === 'map') && left.kind === right.kind && 'of' in right) {
    return { kind: left.kind, of: join(left.of, right.of) };
  }
  return left.kind === right.kind && fits(left, right) ? left : dynType;
}

/** The type as messages name it. */
export function typeLabel(type: Type): string {
  switch (type.kind) {
    case 'object':
      return type.name;
    case 'list':
    case 'map':
      return `${type.kind}<${typeLabel(type.of)}>`;
    case 'dyn':
      return 'any value';
    default:
      return type.kind;
  }
}
