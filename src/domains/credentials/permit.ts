/**
 * Who may see, make and manage credentials. A credential never gives more than what it is made with: a stolen narrow one must not make
 * itself a wide one, and one that somebody else made for a person must not make one that hides its maker.
 */
import { AppError } from '../../errors.ts';
import type { Actor, Context } from '../../context.ts';
import { findUser, isSuperAdmin, roleNames, seesEverything, type UserRow } from '../directory/index.ts';
import type { CredentialRow } from './store.ts';

/** NOT_FOUND unless the caller may see it: one's own, or as an administrator who sees everything. */
export function requireVisible(actor: Actor, row: CredentialRow | undefined): CredentialRow {
  if (row === undefined || (row.userId !== actor.userId && !seesEverything(actor) && actor.kind !== 'system')) {
    throw new AppError('NOT_FOUND', 'There is no such credential.');
  }
  return row;
}

/** The same, and PERMISSION_DENIED unless it is one's own or the caller is a Super Administrator. */
export function requireManageable(actor: Actor, row: CredentialRow | undefined): CredentialRow {
  const visible = requireVisible(actor, row);
  if (visible.userId !== actor.userId && !isSuperAdmin(actor) && actor.kind !== 'system') {
    throw new AppError('PERMISSION_DENIED', 'Only its owner and Super Administrators may change a credential.');
  }
  return visible;
}

/** The enabled person a credential is made for; NOT_FOUND for nobody, FAILED_PRECONDITION for a disabled one or a service principal. */
export async function requireOwner(context: Context, userId: string): Promise<UserRow> {
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

/** PERMISSION_DENIED where the caller works through a credential that somebody else made for them. */
export function refuseIssued(actor: Actor): void {
  if (actor.issuerId !== '') {
    throw new AppError('PERMISSION_DENIED', 'A credential that another person made for you cannot make or change credentials.');
  }
}

/**
 * PERMISSION_DENIED where the credential would give roles the caller's own does not: `scopedRoles` are the ids it is narrowed to, none
 * for all of `ownerRoleIds`.
 */
export function refuseWidening(actor: Actor, scopedRoles: readonly string[], ownerRoleIds: readonly string[]): void {
  if (actor.kind === 'system' || isSuperAdmin(actor)) {
    return;
  }
  const given = roleNames(scopedRoles.length === 0 ? ownerRoleIds : scopedRoles);
  if ([...given].some((role) => !actor.roles.has(role))) {
    throw new AppError(
      'PERMISSION_DENIED',
      'A credential cannot give more roles than the one it is made with: name roles that this one has in scopedRoles.',
    );
  }
}
