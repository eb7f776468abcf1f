/**
 * Changing a role: the five are fixed, so only a change that changes nothing is taken.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Role, RoleSchema } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { AppError, orThrow } from '../../errors.ts';
import { applyUpdate, type JsonObject } from '../../wire/mask.ts';
import { shape } from '../../wire/reply.ts';
import type { Row } from '../../wire/row.ts';
import { shapedRoles } from './view.ts';

/** The role where everything stays as it is; NOT_FOUND for none, FAILED_PRECONDITION for what would change it. */
export function changeRole(id: string, sent: JsonObject, mask: readonly string[] | undefined): Row<Role> {
  const role = orThrow(shapedRoles.get(id), 'NOT_FOUND', 'There is no such role.');
  const before: JsonObject = shape(RoleSchema, role);
  const after: JsonObject = applyUpdate(RoleSchema, before, sent, mask);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !sameValue(before[name], after[name]));
  if (changed.length > 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The five roles are fixed and the same in every tenant: ${changed.sort().join(', ')} cannot be changed. Who holds a role is set with PUT /api/v1/users/{user_id}/roles.`,
    );
  }
  return role;
}

/** A member that a mask unset is what it is by default. */
function sameValue(left: unknown, right: unknown): boolean {
  const empty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isDeepStrictEqual(left, right) || (empty(left) && empty(right));
}
