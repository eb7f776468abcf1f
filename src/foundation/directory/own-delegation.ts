/**
 * A person lets somebody decide in their place, without an administrator. Nobody does that for them: not through a credential that somebody else
 * made, who could come to decisions by it, and not through one that only reads; a program has no decisions to pass on.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { holds, isServicePrincipal } from '../authority/index.ts';
import { setDelegation } from './set-delegation.ts';
import { findOwnDelegate, listDelegators, type OwnDelegationRow } from './store-delegations.ts';

/** Refuses callers who may not pass their decisions on. */
function requireOwn({ actor }: Context): void {
  if (actor.issuerId !== '') {
    throw new AppError('PERMISSION_DENIED', 'Somebody else made this credential, so it cannot say who decides in your place.');
  }
  if (isServicePrincipal(actor)) {
    throw new AppError('PERMISSION_DENIED', 'A service principal decides nothing, so nobody can decide in its place.');
  }
  if (!holds(actor, 'tasks.decide')) {
    throw new AppError('PERMISSION_DENIED', 'This credential only reads, so it cannot say who decides in your place.');
  }
}

/** Reads the caller's delegate, and whom the caller decides for. */
export async function readOwnDelegation(
  context: Context,
): Promise<{ delegate: OwnDelegationRow | undefined; inPlaceOf: OwnDelegationRow[] }> {
  return { delegate: await findOwnDelegate(context), inPlaceOf: await listDelegators(context) };
}

/** Sets or ends who decides in the caller's place; refuses as `setDelegation` does. */
export async function setOwnDelegation(
  context: Context,
  wanted: { readonly delegatedUserId: string; readonly startsAt: Date | null; readonly expiresAt: Date | null },
): Promise<OwnDelegationRow | undefined> {
  requireOwn(context);
  await setDelegation(context, { ...wanted, userId: context.actor.userId });
  return findOwnDelegate(context);
}
