/**
 * The credentials of service principals: made, read, renamed and revoked by administrators. What they may be is check-input.ts, as for those
 * of people; what they give follows from the roles of the principal.
 */
import {
  type ServicePrincipalCredentialJson,
  ServicePrincipalCredentialSchema,
} from '../../../gen/c1/api/service_principal/v1/service_principal_pb.js';
import { AppError, invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent } from '../../audit/index.ts';
import { findPrincipal, listUsersByIds, lockPrincipal, withBasicUser } from '../../directory/index.ts';
import {
  type CredentialRow,
  checkInput,
  findCredential,
  listCredentials,
  lockCredential,
  principalRules,
  removeCredential,
  updateCredential,
} from '../record/index.ts';
import { type CreatedCredential, endAfter, insertNew, secondsFor } from './create-credential.ts';
import { requirePrincipal } from './manage-principals.ts';
import { boundNew, findCaller, requirePermitted } from './permit.ts';

/** Service principal's credential to be made. */
export interface NewPrincipalCredential {
  readonly principalId: string;
  readonly displayName: string;
  readonly allowSourceCidrs: readonly string[];
  /** Absent for one that never expires. */
  readonly expiresInSeconds: number | undefined;
  readonly requireDpop: boolean;
  /** Role ids; empty for all that the principal holds, whenever that is. */
  readonly scopedRoles: readonly string[];
  readonly secretLabel: string;
}

function requireIts(principalId: string, row: CredentialRow | undefined): CredentialRow {
  if (row === undefined || row.userId !== principalId) {
    throw new AppError('NOT_FOUND', 'There is no such credential of this service principal.');
  }
  return row;
}

/** Makes a credential; its secret is never seen again. NOT_FOUND for no such principal, INVALID_ARGUMENT with all that is wrong. */
export async function createPrincipalCredential(context: Context, input: NewPrincipalCredential): Promise<CreatedCredential> {
  return inTransaction(context, async (inside) => {
    const caller = await findCaller(inside);
    requirePermitted(caller, 'make', input.principalId);
    const { id } = requirePrincipal(await lockPrincipal(inside, input.principalId));
    if (input.requireDpop) {
      throw invalidField('requireDpop', 'is not supported: tokens are bearer tokens. Restrict them to addresses with allowSourceCidrs');
    }
    const held = withBasicUser((await listUsersByIds(inside, [id])).get(id)?.roleIds ?? []);
    const scopedRoles = [...new Set(input.scopedRoles)];
    const { displayName, allowSourceCidrs: allowSourceCidr, expiresInSeconds, secretLabel } = input;
    checkInput({ displayName, allowSourceCidr, scopedRoles }, held, expiresInSeconds, principalRules);
    const limits = boundNew(
      caller,
      { allowSourceCidr, expiresAt: endAfter(inside, secondsFor(inside, expiresInSeconds)) },
      scopedRoles,
      held,
    );
    const made = { displayName, scopedRoles, secretLabel, ...limits };
    return insertNew(inside, { id }, made, '', 'SERVICE');
  });
}

/** A credential of this service principal that was not revoked; NOT_FOUND otherwise. */
export async function getPrincipalCredential(context: Context, principalId: string, id: string): Promise<CredentialRow> {
  requirePrincipal(await findPrincipal(context, principalId));
  return requireIts(principalId, await findCredential(context, 'SERVICE', id));
}

/** A page of them, by id. */
export async function listPrincipalCredentials(
  context: Context,
  principalId: string,
  after: string,
  limit: number,
): Promise<CredentialRow[]> {
  requirePrincipal(await findPrincipal(context, principalId));
  return listCredentials(context, { kind: 'SERVICE', userIds: [principalId], query: undefined }, after, limit);
}

/** Renames it, the only thing that can be changed about it. */
export function changePrincipalCredential(
  context: Context,
  principalId: string,
  id: string,
  sent: ServicePrincipalCredentialJson,
  mask: readonly string[] | undefined,
): Promise<CredentialRow> {
  return inTransaction(context, async (inside) => {
    requirePrincipal(await findPrincipal(inside, principalId));
    const row = requireIts(principalId, await lockCredential(inside, 'SERVICE', id));
    requirePermitted(await findCaller(inside), 'change', principalId, id);
    const wanted = applyUpdate(ServicePrincipalCredentialSchema, { displayName: row.displayName }, sent, mask);
    const displayName = (wanted.displayName ?? '').trim();
    const { allowSourceCidr, scopedRoles } = row;
    // Roles it lost meanwhile may stay: they give nothing.
    checkInput({ displayName, allowSourceCidr, scopedRoles }, scopedRoles, undefined, principalRules);
    if (displayName === row.displayName) {
      return row;
    }
    await updateCredential(inside, id, { displayName, allowSourceCidr, scopedRoles });
    await recordEvent(inside, {
      kind: 'service_principal.credential_updated',
      targetId: id,
      data: { userId: principalId, before: { displayName: row.displayName }, after: { displayName } },
    });
    return { ...row, displayName, updatedAt: inside.now };
  });
}

/** Revokes it: its tokens stop within 5 s in every process. The row and its event stay as evidence. */
export function revokePrincipalCredential(context: Context, principalId: string, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    requirePrincipal(await findPrincipal(inside, principalId));
    const row = requireIts(principalId, await lockCredential(inside, 'SERVICE', id));
    requirePermitted(await findCaller(inside), 'revoke', principalId, id);
    await removeCredential(inside, id);
    await recordEvent(inside, {
      kind: 'service_principal.credential_revoked',
      targetId: id,
      data: { clientId: row.clientId, userId: principalId, displayName: row.displayName },
    });
  });
}
