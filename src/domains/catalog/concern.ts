/**
 * What of the inventory a person reads who does not read all of it: their own accounts and grants, the apps and entitlements that these name,
 * and what their tasks ask about. It is decided before anything is looked for.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { permissionsHeld } from '../directory/index.ts';
import { type Concerned, hasConcernInApp, hasConcernInEntitlement } from './store-concerns.ts';

/** Whether the caller reads the whole inventory. */
export function readsInventory({ actor }: Context): boolean {
  return permissionsHeld(actor).includes('inventory.read');
}

function concernedBy({ actor }: Context): Concerned {
  return { userId: actor.userId, standsFor: [actor.userId, ...(actor.delegatorIds ?? [])] };
}

/** NOT_FOUND, as for an app that is not there, unless the caller reads the inventory or the app concerns them. */
export async function requireConcernInApp(context: Context, id: string): Promise<void> {
  if (!readsInventory(context) && !(await hasConcernInApp(context, concernedBy(context), id))) {
    throw new AppError('NOT_FOUND', 'There is no such app.');
  }
}

/** The same for an entitlement. */
export async function requireConcernInEntitlement(context: Context, appId: string, id: string): Promise<void> {
  if (!readsInventory(context) && !(await hasConcernInEntitlement(context, concernedBy(context), appId, id))) {
    throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
  }
}

/** NOT_FOUND unless the caller reads the inventory or is that person. */
export function requireOwnOrInventory(context: Context, userId: string | null, message: string): void {
  if (userId !== context.actor.userId && !readsInventory(context)) {
    throw new AppError('NOT_FOUND', message);
  }
}

/** Whose accounts a search is about: those asked for, the caller's own where they read no others. PERMISSION_DENIED for other people's. */
export function narrowToOwn(context: Context, userIds: readonly string[] | undefined): readonly string[] | undefined {
  if (readsInventory(context)) {
    return userIds;
  }
  const own = context.actor.userId;
  if (userIds?.some((id) => id !== own) === true) {
    throw new AppError('PERMISSION_DENIED', 'You may search your own accounts and grants only: leave other people out, or name yourself.');
  }
  return [own];
}
