/**
 * Right to see, make or manage credentials. A credential never gives more than the one it is made with, and a stolen narrow one must not make
 * itself a wide one. So whoever acts through a credential has a *reach*, and what they make lies within the *bounds* of that credential.
 */
import { AppError } from '../../../errors.ts';
import type { Actor, Context, RoleName } from '../../../context.ts';
import { hasRole, isBySession, isSuperAdmin, isSystem, seesEverything } from '../../authority/index.ts';
import { findUser, holdPerson, roleNames, type UserRow } from '../../directory/index.ts';
import { type CredentialBounds, type CredentialRow, credentialSlot, liesWithin, lockBounds } from '../record/index.ts';

/**
 * Reach of a caller: work nobody asked for in a request; a Super Administrator; a credential with all its owner's rights; one that is narrowed to
 * roles or addresses; one that somebody else made for the person. An end alone does not narrow: otherwise nobody whose credentials end could revoke
 * one that leaked.
 */
export type Reach = 'system' | 'administrator' | 'owner' | 'narrowed' | 'issued';

/** Owner of a credential, seen from the caller: the one they work through, another one of theirs, somebody else's. */
export type Whose = 'itself' | 'own' | 'others';

/** Action on a credential; of service principals too. */
export type Act = 'make' | 'change' | 'revoke';

const manage: readonly Act[] = ['change', 'revoke'];
const everything: readonly Act[] = ['make', 'change', 'revoke'];
const nothing: readonly Act[] = [];

/** The whole rule: what each reach may do with whose credential. */
export const permittedActs: Readonly<Record<Reach, Readonly<Record<Whose, readonly Act[]>>>> = {
  system: { itself: nothing, own: nothing, others: everything },
  administrator: { itself: manage, own: everything, others: everything },
  owner: { itself: manage, own: everything, others: nothing },
  narrowed: { itself: manage, own: ['make'], others: nothing },
  issued: { itself: manage, own: nothing, others: nothing },
};

/** Limits of a caller's credential; whatever it makes lies within. */
export interface Caller {
  readonly actor: Actor;
  readonly reach: Reach;
  readonly bounds: CredentialBounds;
}

const unbounded: CredentialBounds = { scopedRoles: [], allowSourceCidr: [], expiresAt: null };

function reachOf(actor: Actor, bounds: CredentialBounds): Reach {
  if (isSystem(actor)) {
    return 'system';
  }
  if (actor.issuerId !== '') {
    return 'issued';
  }
  if (isSuperAdmin(actor)) {
    return 'administrator';
  }
  return bounds.scopedRoles.length > 0 || bounds.allowSourceCidr.length > 0 ? 'narrowed' : 'owner';
}

/**
 * The caller with the bounds of their credential as they are now, held until the end of the transaction: one that is revoked at the same
 * moment makes nothing any more. UNAUTHENTICATED where it is revoked already.
 */
export async function findCaller(context: Context): Promise<Caller> {
  const { actor } = context;
  if (isBySession(actor)) {
    if (!(await credentialSlot.get().lockLiveSession(context, actor.credentialId))) {
      throw new AppError('UNAUTHENTICATED', 'Your session has ended. Sign in again.');
    }
    return { actor, reach: reachOf(actor, unbounded), bounds: unbounded };
  }
  const bounds = actor.credentialId === '' ? unbounded : await lockBounds(context, actor.credentialId);
  if (bounds === undefined) {
    throw new AppError('UNAUTHENTICATED', 'The credential of this access token was revoked.');
  }
  return { actor, reach: reachOf(actor, bounds), bounds };
}

/** True if the caller's credential gives all that its owner has, from anywhere and without an end. */
export async function hasNoBounds(context: Context): Promise<boolean> {
  const { scopedRoles, allowSourceCidr, expiresAt } = (await findCaller(context)).bounds;
  return scopedRoles.length === 0 && allowSourceCidr.length === 0 && expiresAt === null;
}

/** True if the rule permits the act on a credential of `userId`; `credentialId` is absent for one that is to be made. */
export function isPermitted({ actor, reach }: Pick<Caller, 'actor' | 'reach'>, act: Act, userId: string, credentialId?: string): boolean {
  const isItself = credentialId !== undefined && credentialId === actor.credentialId;
  const whose: Whose = isItself ? 'itself' : userId === actor.userId ? 'own' : 'others';
  return permittedActs[reach][whose].includes(act);
}

const refusals: Readonly<Record<Reach, string>> = {
  system: 'The system makes and manages credentials of people alone.',
  administrator: 'A credential is not made with itself.',
  owner: 'Only its owner and Super Administrators may make, change or revoke a credential.',
  narrowed: 'A credential that is narrowed to roles or addresses can change and revoke only itself, and make others that are as narrow.',
  issued: 'A credential that another person made for you can change and revoke only itself, and make no others.',
};

/** PERMISSION_DENIED where the rule does not permit the act. */
export function requirePermitted(caller: Caller, act: Act, userId: string, credentialId?: string): void {
  if (!isPermitted(caller, act, userId, credentialId)) {
    throw new AppError('PERMISSION_DENIED', refusals[caller.reach]);
  }
}

/** NOT_FOUND unless the caller may see it: one's own, or as an administrator who sees everything. */
export function requireVisible(actor: Actor, row: CredentialRow | undefined): CredentialRow {
  if (row === undefined || (row.userId !== actor.userId && !seesEverything(actor) && !isSystem(actor))) {
    throw new AppError('NOT_FOUND', 'There is no such credential.');
  }
  return row;
}

/** The same, and PERMISSION_DENIED where the rule does not permit the act on it. */
export function requireManageable(caller: Caller, act: Act, row: CredentialRow | undefined): CredentialRow {
  const visible = requireVisible(caller.actor, row);
  requirePermitted(caller, act, visible.userId, visible.id);
  return visible;
}

/** The enabled person a credential is made for; NOT_FOUND for nobody, FAILED_PRECONDITION for a disabled one or a service principal. */
export async function requireOwner(context: Context, userId: string): Promise<UserRow> {
  // Whoever disables them meanwhile waits, or is waited for.
  await holdPerson(context, userId);
  const user = await findUser(context, userId);
  if (user === undefined || user.status === 'DELETED') {
    throw new AppError('NOT_FOUND', 'There is no such user.');
  }
  if (user.userType === 'SERVICE') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `A service principal has credentials of its own kind: POST /api/v1/service_principals/${user.id}/credentials.`,
    );
  }
  if (user.status !== 'ENABLED') {
    throw new AppError('FAILED_PRECONDITION', 'A credential can only be made for an enabled person.');
  }
  return user;
}

/** True if the caller gives roles to anybody anyway. */
function reachesOthers({ reach }: Pick<Caller, 'reach'>): boolean {
  return reach === 'system' || reach === 'administrator';
}

function rolesOf(scopedRoles: readonly string[], ownerRoleIds: readonly string[]): ReadonlySet<RoleName> {
  return roleNames(scopedRoles.length === 0 ? ownerRoleIds : scopedRoles);
}

/**
 * PERMISSION_DENIED where the credential would give roles that the caller's own does not. None named are all of the owner's, whenever that
 * is: they are more than the same roles by name.
 */
function refuseMoreRoles({ actor, reach, bounds }: Caller, scopedRoles: readonly string[], ownerRoleIds: readonly string[]): void {
  if (reachesOthers({ reach })) {
    return;
  }
  const isUnnamed = scopedRoles.length === 0 && bounds.scopedRoles.length > 0;
  if (isUnnamed || [...rolesOf(scopedRoles, ownerRoleIds)].some((role) => !hasRole(actor, role))) {
    throw new AppError(
      'PERMISSION_DENIED',
      'A credential cannot give more roles than the one it is made with: name roles that this one has in scopedRoles.',
    );
  }
}

function refuseMoreAddresses({ bounds }: Caller, wanted: readonly string[]): void {
  if (!liesWithin(wanted, bounds.allowSourceCidr)) {
    throw new AppError(
      'PERMISSION_DENIED',
      `A credential cannot be used from more addresses than the one it is made with: name blocks within ${bounds.allowSourceCidr.join(', ')}.`,
    );
  }
}

/** Limits of a new credential, beside its roles. */
export interface Limits {
  readonly allowSourceCidr: readonly string[];
  readonly expiresAt: Date | null;
}

/**
 * Bounds what was asked for a new credential: no addresses mean those of the caller's credential, and it ends with that one at the latest.
 * PERMISSION_DENIED for addresses beyond those, and for roles that the caller's does not give; `scopedRoles` are the ids it is narrowed to, none
 * for all of `ownerRoleIds`.
 */
export function boundNew(caller: Caller, wanted: Limits, scopedRoles: readonly string[], ownerRoleIds: readonly string[]): Limits {
  refuseMoreRoles(caller, scopedRoles, ownerRoleIds);
  const { allowSourceCidr, expiresAt } = caller.bounds;
  const blocks = wanted.allowSourceCidr.length === 0 ? allowSourceCidr : wanted.allowSourceCidr;
  refuseMoreAddresses(caller, blocks);
  const ends = [wanted.expiresAt, expiresAt].flatMap((end) => (end === null ? [] : [end.getTime()]));
  return { allowSourceCidr: blocks, expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends)) };
}

/**
 * PERMISSION_DENIED where a change gives a credential more than the caller's own gives. Keeping or narrowing its addresses is always
 * possible; one that outlives the caller's own is not widened.
 */
export function refuseWidening(
  caller: Caller,
  before: Pick<CredentialRow, 'issuerId' | 'allowSourceCidr' | 'scopedRoles' | 'expiresAt'>,
  after: Pick<CredentialRow, 'allowSourceCidr' | 'scopedRoles'>,
  ownerRoleIds: readonly string[],
): void {
  refuseMoreRoles(caller, after.scopedRoles, ownerRoleIds);
  const former = rolesOf(before.scopedRoles, ownerRoleIds);
  const isUnnamed = after.scopedRoles.length === 0 && before.scopedRoles.length > 0;
  const getsRoles = isUnnamed || [...rolesOf(after.scopedRoles, ownerRoleIds)].some((role) => !former.has(role));
  const getsAddresses = !liesWithin(after.allowSourceCidr, before.allowSourceCidr);
  if (getsAddresses) {
    refuseMoreAddresses(caller, after.allowSourceCidr);
  }
  const { expiresAt } = caller.bounds;
  const outlives = expiresAt !== null && (before.expiresAt === null || before.expiresAt > expiresAt);
  if ((getsAddresses || getsRoles) && before.issuerId !== '' && !reachesOthers(caller)) {
    throw new AppError('PERMISSION_DENIED', 'Only a Super Administrator may give more to a credential that another person made for you.');
  }
  if ((getsAddresses || getsRoles) && outlives) {
    throw new AppError(
      'PERMISSION_DENIED',
      `A credential that outlives the one it is changed with (${expiresAt.toISOString()}) cannot be given more roles or addresses.`,
    );
  }
}
