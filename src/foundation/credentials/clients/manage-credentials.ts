/**
 * Reading, changing and revoking API credentials. Making them is in create-credential.ts.
 */
import { isDeepStrictEqual } from 'node:util';
import { type PersonalClientJson, PersonalClientSchema } from '../../../gen/c1/api/iam/v1/iam_pb.js';
import { invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { shape } from '../../../wire/reply.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent } from '../../audit/index.ts';
import { seesEverything } from '../../authority/index.ts';
import { findUser, issuableOf, ROLES, withBasicUser } from '../../directory/index.ts';
import {
  type CredentialFilter,
  type CredentialRow,
  checkInput,
  findCredential,
  issuedRules,
  listCredentials,
  lockCredential,
  removeCredential,
  updateCredential,
} from '../record/index.ts';
import { findCaller, refuseWidening, requireManageable, requireVisible } from './permit.ts';
import { shapeCredential } from './view.ts';

/** A credential the caller may see; NOT_FOUND otherwise, and once it is revoked. */
export async function getCredential(context: Context, id: string): Promise<CredentialRow> {
  return requireVisible(context.actor, await findCredential(context, 'PERSONAL', id));
}

/** A page of the caller's own credentials, those made for them included. */
export function listOwnCredentials(context: Context, after: string | undefined, limit: number): Promise<CredentialRow[]> {
  return listCredentials(context, { kind: 'PERSONAL', userIds: [context.actor.userId], query: undefined }, after, limit);
}

/** A page of the credentials a search asks for, among those the caller may see. */
export function searchCredentials(
  context: Context,
  filter: Omit<CredentialFilter, 'kind'>,
  after: string | undefined,
  limit: number,
): Promise<CredentialRow[]> {
  const own = context.actor.userId;
  const userIds = seesEverything(context.actor) ? filter.userIds : (filter.userIds ?? [own]).filter((id) => id === own);
  return listCredentials(context, { ...filter, kind: 'PERSONAL', userIds }, after, limit);
}

/**
 * Changes name, addresses or roles as the mask says and returns the credential. Its end cannot be changed, and its roles not beyond the
 * caller's own.
 */
export async function changeCredential(
  context: Context,
  id: string,
  sent: PersonalClientJson,
  mask: readonly string[] | undefined,
): Promise<CredentialRow> {
  return inTransaction(context, async (inside) => {
    const locked = await lockCredential(inside, 'PERSONAL', id);
    const caller = await findCaller(inside);
    const row = requireManageable(caller, 'change', locked);
    const current = shape(PersonalClientSchema, shapeCredential(row));
    const expires = sent.expiresTime;
    // Beside a mask that names other members it is not asked for.
    const isAsked = mask === undefined || mask.includes('*') || mask.includes('expiresTime');
    if (isAsked && expires !== undefined && new Date(expires).getTime() !== row.expiresAt?.getTime()) {
      throw invalidField('client.expiresTime', 'the expiry of a credential cannot be changed: make another one');
    }
    const wanted = applyUpdate(PersonalClientSchema, current, sent, mask);
    const next = {
      displayName: (wanted.displayName ?? '').trim(),
      allowSourceCidr: wanted.allowSourceCidr ?? [],
      scopedRoles: [...new Set(wanted.scopedRoles)],
    };
    const owner = await findUser(inside, row.userId);
    const held = withBasicUser(owner?.roleIds ?? []);
    const isIssued = row.issuerId !== '';
    const ownerRoleIds = isIssued ? issuableOf(held) : held;
    // An issued credential never has all roles of its owner.
    next.scopedRoles = isIssued && next.scopedRoles.length === 0 ? [ROLES.BASIC_USER.id] : next.scopedRoles;
    // A role the owner lost meanwhile may stay where it is: it gives nothing.
    checkInput(next, [...ownerRoleIds, ...row.scopedRoles], undefined, isIssued ? issuedRules : undefined);
    refuseWidening(caller, row, next, ownerRoleIds);
    if (isDeepStrictEqual(next, { displayName: row.displayName, allowSourceCidr: row.allowSourceCidr, scopedRoles: row.scopedRoles })) {
      return row;
    }
    await updateCredential(inside, id, next);
    await recordEvent(inside, {
      kind: 'credential.updated',
      targetId: id,
      data: { before: { displayName: row.displayName, allowSourceCidr: row.allowSourceCidr, scopedRoles: row.scopedRoles }, after: next },
    });
    return { ...row, ...next, updatedAt: inside.now };
  });
}

/** Revokes a credential: its tokens stop within 5 s in every process. The row and its event stay as evidence. */
export function revokeCredential(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const locked = await lockCredential(inside, 'PERSONAL', id);
    const row = requireManageable(await findCaller(inside), 'revoke', locked);
    await removeCredential(inside, id);
    await recordEvent(inside, {
      kind: 'credential.revoked',
      targetId: id,
      data: { clientId: row.clientId, userId: row.userId, displayName: row.displayName },
    });
  });
}
