/**
 * Making an API credential: one's own, or as a Super Administrator one for somebody else. The secret leaves here once and is kept nowhere.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { issuableOf, ROLES, type UserRow, withBasicUser } from '../directory/index.ts';
import { findTenant } from '../tenants/index.ts';
import { checkInput, issuedRules } from './check-input.ts';
import { boundNew, findCaller, type Limits, requireOwner, requirePermitted } from './permit.ts';
import { makeClientId, makeSecret } from './secret.ts';
import { countLiveCredentials, type CredentialKind, type CredentialRow, insertCredential } from './store.ts';

/** What a credential is to be. */
export interface NewCredential {
  readonly displayName: string;
  readonly allowSourceCidr?: readonly string[];
  /** Of a person's 2592000 or 7776000, of a service principal's any; absent for one that never expires. */
  readonly expiresInSeconds?: number | undefined;
  /** Role ids; empty or absent for all of the owner's. */
  readonly scopedRoles?: readonly string[];
}

/** A credential with its secret, which is never seen again. */
export interface CreatedCredential {
  readonly row: CredentialRow;
  readonly secret: string;
}

/** When a credential ends that lives so long from now on. */
export function endAfter(context: Context, expiresInSeconds: number | undefined): Date | null {
  return expiresInSeconds === undefined ? null : new Date(context.now.getTime() + expiresInSeconds * 1000);
}

/**
 * Makes a credential for `userId`, as that person or as the system (first start, `--local`). It has the addresses of the credential it is made
 * with unless it names some of them, and ends with that one at the latest.
 */
export async function createCredential(
  context: Context,
  input: NewCredential & { userId: string; secretLabel: string },
): Promise<CreatedCredential> {
  return inTransaction(context, async (inside) => {
    const caller = await findCaller(inside);
    requirePermitted(caller, 'make', input.userId);
    const owner = await requireOwner(inside, input.userId);
    const roleIds = withBasicUser(owner.roleIds);
    const { displayName, allowSourceCidr = [], expiresInSeconds, secretLabel } = input;
    const scopedRoles = [...new Set(input.scopedRoles ?? [])];
    checkInput({ displayName, allowSourceCidr, scopedRoles }, roleIds, expiresInSeconds);
    const limits = boundNew(caller, { allowSourceCidr, expiresAt: endAfter(inside, expiresInSeconds) }, scopedRoles, roleIds);
    return insertNew(inside, owner, { displayName, scopedRoles, secretLabel, ...limits }, '', 'credential.created');
  });
}

/**
 * Makes a credential for somebody else, which names the caller as its issuer. It holds Basic User alone, or those of `issuableRoles` that are
 * named and that the person holds. FAILED_PRECONDITION where the tenant does not allow such, or for oneself.
 */
export async function issueCredential(
  context: Context,
  input: NewCredential & { userId: string; secretLabel: string },
): Promise<CreatedCredential> {
  return inTransaction(context, async (inside) => {
    const caller = await findCaller(inside);
    const tenant = await findTenant(inside.db, inside.tenantId);
    if (tenant?.issuedCredentialsAllowed !== true) {
      throw new AppError('FAILED_PRECONDITION', 'This tenant does not allow credentials made for others.');
    }
    if (input.userId === inside.actor.userId) {
      throw new AppError('FAILED_PRECONDITION', 'For yourself, make a credential of your own: POST /api/v1/iam/personal_clients.');
    }
    requirePermitted(caller, 'make', input.userId);
    const owner = await requireOwner(inside, input.userId);
    const roleIds = issuableOf(withBasicUser(owner.roleIds));
    const { displayName, allowSourceCidr = [], expiresInSeconds, secretLabel } = input;
    const named = [...new Set(input.scopedRoles ?? [])];
    const scopedRoles = named.length === 0 ? [ROLES.BASIC_USER.id] : named;
    checkInput({ displayName, allowSourceCidr, scopedRoles }, roleIds, expiresInSeconds, issuedRules);
    const limits = boundNew(caller, { allowSourceCidr, expiresAt: endAfter(inside, expiresInSeconds) }, scopedRoles, roleIds);
    return insertNew(inside, owner, { displayName, scopedRoles, secretLabel, ...limits }, inside.actor.userId, 'credential.issued');
  });
}

/** More than anybody can keep an eye on; expired ones do not count. */
export const maxLiveCredentials = 500;

/** Makes the pair and keeps its public half, with the event of this kind; what it may be was checked before. */
export async function insertNew(
  context: Context,
  owner: Pick<UserRow, 'id'>,
  input: Limits & { displayName: string; scopedRoles: readonly string[]; secretLabel: string },
  issuerId: string,
  eventKind: string,
  kind: CredentialKind = 'PERSONAL',
): Promise<CreatedCredential> {
  const tenant = await findTenant(context.db, context.tenantId);
  if (tenant === undefined) {
    throw new AppError('NOT_FOUND', 'This tenant was deleted.');
  }
  if ((await countLiveCredentials(context, owner.id)) >= maxLiveCredentials) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `There are ${maxLiveCredentials} live credentials already. Delete those that are no longer used.`,
    );
  }
  const { secret, publicKey } = makeSecret(input.secretLabel);
  const row = {
    id: newId(context.now),
    kind,
    userId: owner.id,
    issuerId,
    displayName: input.displayName.trim(),
    publicKey,
    scopedRoles: [...input.scopedRoles],
    allowSourceCidr: [...input.allowSourceCidr],
    expiresAt: input.expiresAt,
    lastUsedAt: null,
    createdAt: context.now,
    updatedAt: context.now,
    deletedAt: null,
  };
  for (let attempt = 0; attempt < 5; attempt++) {
    const complete = { ...row, clientId: makeClientId(tenant.host, kind === 'SERVICE' ? 'spc' : 'pcc') };
    if (await insertCredential(context, complete)) {
      await recordEvent(context, {
        kind: eventKind,
        targetType: kind === 'SERVICE' ? 'service_principal_credential' : 'personal_client',
        targetId: complete.id,
        data: {
          clientId: complete.clientId,
          userId: owner.id,
          displayName: complete.displayName,
          scopedRoles: complete.scopedRoles,
          allowSourceCidr: complete.allowSourceCidr,
          expiresTime: complete.expiresAt?.toISOString() ?? null,
        },
      });
      return { row: complete, secret };
    }
  }
  throw new AppError('CONFLICT', 'No free client id was found. Try again.');
}
