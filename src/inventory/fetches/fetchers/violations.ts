/** Faults of settings as violations of a request. Pure. */
import type { FieldViolation } from '../../../errors.ts';

/** Returns the faults that a library found. */
export function readFaults(faults: readonly { readonly field: string; readonly reason: string }[]): FieldViolation[] {
  return faults.map(({ field, reason }) => ({ field, description: reason }));
}

/** Returns those fields that something is wrong with, in their order. */
export function listFaults(faults: Readonly<Record<string, string | undefined>>): FieldViolation[] {
  return Object.entries(faults).flatMap(([field, description]) => (description === undefined ? [] : [{ field, description }]));
}
