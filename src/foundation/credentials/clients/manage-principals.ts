/**
 * Service principals: users of programs, which have no address, are never asked to review and hold the roles they are given with
 * PUT /api/v1/users/{user_id}/roles. Their credentials are in principal-credentials.ts.
 */
import { type ServicePrincipalJson, ServicePrincipalSchema } from '../../../gen/c1/api/service_principal/v1/service_principal_pb.js';
import { AppError, invalidField, orThrow } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../audit/index.ts';
import {
  findPrincipal,
  insertPrincipal,
  listPrincipals,
  listUsersByIds,
  lockPrincipal,
  type PrincipalRow,
  removePrincipal,
  updatePrincipal,
  type UserRow,
} from '../../directory/index.ts';
import { findCaller, requirePermitted } from './permit.ts';
import { removeCredentialsOf } from '../record/index.ts';

const maxNameLength = 256;

function requireName(name: string, field: string): string {
  const trimmed = name.trim();
  if (trimmed === '') {
    throw invalidField(field, 'must not be empty');
  }
  if (trimmed.length > maxNameLength) {
    throw invalidField(field, `must not be longer than ${maxNameLength} characters`);
  }
  return trimmed;
}

/** NOT_FOUND unless there is one. */
export function requirePrincipal(row: PrincipalRow | undefined): PrincipalRow {
  if (row === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such service principal.');
  }
  return row;
}

/** The service principal with this id, as its user; NOT_FOUND for none and for a deleted one. */
export async function getPrincipal(context: Context, id: string): Promise<UserRow> {
  const { id: userId } = requirePrincipal(await findPrincipal(context, id));
  return orThrow((await listUsersByIds(context, [userId])).get(userId), 'NOT_FOUND', 'There is no such service principal.');
}

/** A page of service principals, as their users, by id. */
export async function listPrincipalUsers(context: Context, after: string, limit: number): Promise<UserRow[]> {
  const ids = (await listPrincipals(context, after, limit)).map((row) => row.id);
  const users = await listUsersByIds(context, ids);
  return ids.flatMap((id) => users.get(id) ?? []);
}

/** Makes a service principal with Basic User alone and returns its user. */
export async function createPrincipal(context: Context, displayName: string): Promise<UserRow> {
  const name = requireName(displayName, 'displayName');
  return inTransaction(context, async (inside) => {
    requirePermitted(await findCaller(inside), 'make', '');
    const id = newId(inside.now);
    await insertPrincipal(inside, id, name);
    await recordEvent(inside, {
      kind: 'service_principal.created',
      targetId: id,
      data: { displayName: name },
    });
    return getPrincipal(inside, id);
  });
}

/** Renames it, the only thing that can be changed about it. INVALID_ARGUMENT for a mask that names anything else. */
export function changePrincipal(
  context: Context,
  id: string,
  sent: ServicePrincipalJson,
  mask: readonly string[] | undefined,
): Promise<UserRow> {
  return inTransaction(context, async (inside) => {
    const row = requirePrincipal(await lockPrincipal(inside, id));
    requirePermitted(await findCaller(inside), 'change', id);
    const foreign = (mask ?? []).find((path) => path === 'user' || path.startsWith('user.') || path.startsWith('objectPermissions'));
    if (foreign !== undefined) {
      throw invalidField('updateMask', `${JSON.stringify(foreign)} cannot be changed here; only displayName can`);
    }
    const before = { displayName: row.displayName };
    const { displayName = '' } = applyUpdate(ServicePrincipalSchema, before, sent, mask);
    const name = requireName(displayName, 'servicePrincipal.displayName');
    if (name !== row.displayName) {
      await updatePrincipal(inside, id, name);
      await recordEvent(inside, {
        kind: 'service_principal.updated',
        targetId: id,
        data: { before, after: { displayName: name } },
      });
    }
    return getPrincipal(inside, id);
  });
}

/** Deletes it and revokes its credentials: their tokens stop within 5 s in every process. The rows stay as evidence. */
export function deletePrincipal(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const row = requirePrincipal(await lockPrincipal(inside, id));
    requirePermitted(await findCaller(inside), 'revoke', id);
    const revokedCredentialIds = await removeCredentialsOf(inside, id);
    await removePrincipal(inside, id);
    await recordEvent(inside, {
      kind: 'service_principal.deleted',
      targetId: id,
      data: { displayName: row.displayName, revokedCredentialIds },
    });
  });
}
