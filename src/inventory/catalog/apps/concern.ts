/**
 * Part of the inventory a person reads who does not read all of it: their own accounts and grants, the apps and entitlements that these name, what
 * their tasks ask about, and all of the apps they own. It is decided before anything is looked for.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { permissionsHeld } from '../../../foundation/authority/index.ts';
import {
  type AppPart,
  hasConcernInApp,
  hasConcernInEntitlement,
  hasConcernInPart,
  hasOwnApp,
  hasOwnEntitlement,
} from './store-concerns.ts';
import { catalogSlot, type Concerned, listOwnedAppIds } from '../record/index.ts';

/** True if the caller reads the whole inventory. */
export function readsInventory({ actor }: Context): boolean {
  return permissionsHeld(actor).includes('inventory.read');
}

function concernedBy({ actor }: Context): Concerned {
  return { userId: actor.userId, standsFor: [actor.userId, ...(actor.delegatorIds ?? [])] };
}

/** NOT_FOUND, as for an app that is not there, unless the caller reads the inventory, the app concerns them, or they own a source of it. */
export async function requireConcernInApp(context: Context, id: string): Promise<void> {
  if (
    !readsInventory(context) &&
    !(await hasConcernInApp(context, concernedBy(context), id)) &&
    !(await catalogSlot.get().ownsSource(context, id))
  ) {
    throw new AppError('NOT_FOUND', 'There is no such app.');
  }
}

/** NOT_FOUND, as for an app that is not there, unless the caller reads the inventory or the resource, or one of the type, concerns them. */
export async function requireConcernInPart(context: Context, appId: string, part: AppPart): Promise<void> {
  if (!readsInventory(context) && !(await hasConcernInPart(context, concernedBy(context), appId, part))) {
    throw new AppError('NOT_FOUND', 'There is no such app.');
  }
}

/** The same for an entitlement. */
export async function requireConcernInEntitlement(context: Context, appId: string, id: string): Promise<void> {
  if (!readsInventory(context) && !(await hasConcernInEntitlement(context, concernedBy(context), appId, id))) {
    throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
  }
}

/** NOT_FOUND, as for an app that is not there, unless the caller reads the inventory or owns the app. */
export async function requireOwnAppOrInventory(context: Context, id: string): Promise<void> {
  if (!readsInventory(context) && !(await hasOwnApp(context, id))) {
    throw new AppError('NOT_FOUND', 'There is no such app.');
  }
}

/** The same for an entitlement, which the caller owns, or its resource or app. */
export async function requireOwnEntitlementOrInventory(context: Context, appId: string, id: string): Promise<void> {
  if (!readsInventory(context) && !(await hasOwnEntitlement(context, concernedBy(context), appId, id))) {
    throw new AppError('NOT_FOUND', 'There is no such app.');
  }
}

/** The apps that a search is about: those asked for, or all, as far as the caller reads them: all by the inventory, else those they own. */
export async function narrowToOwnApps(context: Context, appIds: readonly string[] | undefined): Promise<readonly string[] | undefined> {
  if (readsInventory(context)) {
    return appIds;
  }
  const owned = await listOwnedAppIds(context);
  return appIds === undefined ? owned : owned.filter((id) => appIds.includes(id));
}

/** NOT_FOUND unless the caller reads the inventory or is that person. */
export function requireOwnOrInventory(context: Context, userId: string | null, message: string): void {
  if (userId !== context.actor.userId && !readsInventory(context)) {
    throw new AppError('NOT_FOUND', message);
  }
}

/**
 * Narrows a search to accounts: those asked for, the caller's own where they read no others. In apps that the caller owns, everybody's; they have
 * to be named. PERMISSION_DENIED for other people's.
 */
export async function narrowToOwn(
  context: Context,
  userIds: readonly string[] | undefined,
  appIds: readonly string[],
): Promise<readonly string[] | undefined> {
  if (readsInventory(context)) {
    return userIds;
  }
  if (appIds.length > 0) {
    const owned = await listOwnedAppIds(context);
    if (appIds.every((id) => owned.includes(id))) {
      return userIds;
    }
  }
  const own = context.actor.userId;
  if (userIds?.some((id) => id !== own) === true) {
    throw new AppError(
      'PERMISSION_DENIED',
      'You may search your own accounts and grants, and those in apps you own: leave other people out, or name apps you own in appIds.',
    );
  }
  return [own];
}
