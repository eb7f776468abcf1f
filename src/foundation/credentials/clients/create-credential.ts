/**
 * Making an API credential: one's own, or as a Super Administrator one for somebody else. The secret leaves here once and is kept nowhere.
 */
import { AppError, invalidField, orThrow } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { isBySession, isServicePrincipal } from '../../authority/index.ts';
import { recordEvent } from '../../audit/index.ts';
import { issuableOf, ROLES, type UserRow, withBasicUser } from '../../directory/index.ts';
import { findTenant } from '../../tenants/index.ts';
import {
  type CredentialKind,
  type CredentialRow,
  checkInput,
  countLiveCredentials,
  insertCredential,
  issuedRules,
  makeClientId,
  makeSecret,
} from '../record/index.ts';
import { boundNew, findCaller, type Limits, requireOwner, requirePermitted } from './permit.ts';

/** Credential to be made. */
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

/** One that is made in a browser ends after a year at the latest: a session that somebody took must not stay for good. */
const longestOfSession = 365 * 86_400;

/**
 * Returns how long a credential lives that the caller wants to live so long; undefined for one without an end. INVALID_ARGUMENT for more than a year
 * in a session.
 */
export function secondsFor({ actor }: Context, wanted: number | undefined): number | undefined {
  if (!isBySession(actor)) {
    return wanted;
  }
  if (wanted !== undefined && wanted > longestOfSession) {
    throw invalidField(
      'expires',
      `must be at most ${longestOfSession}s (a year) in a browser; an API credential makes one that lives longer`,
    );
  }
  return wanted ?? longestOfSession;
}

/** Returns the end of a lifespan that begins now. */
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
    if (isServicePrincipal(inside.actor)) {
      const at = `POST /api/v1/service_principals/${inside.actor.userId}/credentials`;
      throw new AppError('PERMISSION_DENIED', `Only people make credentials of this kind. A service principal has its own: ${at}.`);
    }
    requirePermitted(caller, 'make', input.userId);
    const owner = await requireOwner(inside, input.userId);
    const roleIds = withBasicUser(owner.roleIds);
    const { displayName, allowSourceCidr = [], expiresInSeconds, secretLabel } = input;
    const scopedRoles = [...new Set(input.scopedRoles ?? [])];
    checkInput({ displayName, allowSourceCidr, scopedRoles }, roleIds, expiresInSeconds);
    const limits = boundNew(
      caller,
      { allowSourceCidr, expiresAt: endAfter(inside, secondsFor(inside, expiresInSeconds)) },
      scopedRoles,
      roleIds,
    );
    return insertNew(inside, owner, { displayName, scopedRoles, secretLabel, ...limits }, '');
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
    const limits = boundNew(
      caller,
      { allowSourceCidr, expiresAt: endAfter(inside, secondsFor(inside, expiresInSeconds)) },
      scopedRoles,
      roleIds,
    );
    return insertNew(inside, owner, { displayName, scopedRoles, secretLabel, ...limits }, inside.actor.userId);
  });
}

/** More than anybody can keep an eye on; expired ones do not count. */
export const maxLiveCredentials = 500;

/** Makes the pair and keeps its public half, with its event; what it may be was checked before. */
export async function insertNew(
  context: Context,
  owner: Pick<UserRow, 'id'>,
  input: Limits & { displayName: string; scopedRoles: readonly string[]; secretLabel: string },
  issuerId: string,
  kind: CredentialKind = 'PERSONAL',
): Promise<CreatedCredential> {
  const tenant = orThrow(await findTenant(context.db, context.tenantId), 'NOT_FOUND', 'This tenant was deleted.');
  if ((await countLiveCredentials(context, owner.id)) >= maxLiveCredentials) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `There are ${maxLiveCredentials} live credentials already. Delete those that are no longer used.`,
    );
  }
  const { allowSourceCidr, scopedRoles, expiresAt } = input;
  const said = { displayName: input.displayName.trim(), scopedRoles: [...scopedRoles], allowSourceCidr: [...allowSourceCidr], expiresAt };
  const made = await insertPair(context, tenant.host, input.secretLabel, { ...said, kind, userId: owner.id, sourceId: '', issuerId });
  await recordEvent(context, {
    kind: kind === 'SERVICE' ? 'service_principal.credential_created' : issuerId === '' ? 'credential.created' : 'credential.issued',
    targetId: made.row.id,
    data: {
      clientId: made.row.clientId,
      userId: owner.id,
      displayName: said.displayName,
      scopedRoles: said.scopedRoles,
      allowSourceCidr: said.allowSourceCidr,
      expiresTime: expiresAt?.toISOString() ?? null,
    },
  });
  return made;
}

const useCases = { PERSONAL: 'pcc', SERVICE: 'spc', CONNECTOR: 'ccc' } as const;

/** Makes a pair of keys and keeps its public half under a client id at this host that is free. */
export async function insertPair(
  context: Context,
  host: string,
  secretLabel: string,
  said: Omit<CredentialRow, 'id' | 'clientId' | 'publicKey' | 'lastUsedAt' | 'createdAt' | 'updatedAt' | 'deletedAt'>,
): Promise<CreatedCredential> {
  const { secret, publicKey } = makeSecret(secretLabel);
  const times = { lastUsedAt: null, createdAt: context.now, updatedAt: context.now, deletedAt: null };
  const row = { ...said, ...times, id: newId(context.now), publicKey };
  for (let attempt = 0; attempt < 5; attempt++) {
    const complete = { ...row, clientId: makeClientId(host, useCases[said.kind]) };
    if (await insertCredential(context, complete)) {
      return { row: complete, secret };
    }
  }
  throw new AppError('CONFLICT', 'No free client id was found. Try again.');
}
