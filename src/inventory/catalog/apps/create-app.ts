/**
 * Making an app: manually, or because a file of grants names one that is not there.
 */
import { AppError, invalidField, orThrow, refuseInvalid } from '../../../errors.ts';
import type { AppJson } from '../../../gen/c1/api/app/v1/app_pb.js';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { type AppContent, contentJson, appContent, findWrongName, requireContent } from './app-content.ts';
import { maxOwners, requireOwners } from '../owners/index.ts';
import {
  type AppRow,
  findApp,
  findAppByName,
  getAppAccessId,
  insertApp,
  insertOwners,
  listEntitlementsByIds,
  listHolderIds,
  lockApp,
  lockAppName,
} from '../record/index.ts';

/** An entitlement by its app and id. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/**
 * Makes an app with its built-in entitlement and returns it. Its owners are the people named, and those who hold one of the entitlements
 * named now: who is given one later does not become an owner by it. INVALID_ARGUMENT for a bad member, owners that are nobody, or
 * entitlements that are not there; CONFLICT where another app has the name.
 */
export function createApp(
  context: Context,
  sent: AppJson,
  ownerIds: readonly string[],
  ownerRefs: readonly EntitlementRef[] = [],
): Promise<AppRow> {
  const content = appContent(sent);
  return inTransaction(context, async (inside) => {
    await requireContent(inside, content, new Set(Object.keys(contentJson(content))), '');
    await requireOwners(inside, ownerIds, 'owners');
    const holderIds = await findHolders(inside, ownerRefs);
    await lockAppName(inside, content.displayName);
    await refuseTakenName(inside, content.displayName);
    return makeApp(inside, content, [...new Set([...ownerIds, ...holderIds])]);
  });
}

async function findHolders(context: Context, refs: readonly EntitlementRef[]): Promise<string[]> {
  if (refs.length === 0) {
    return [];
  }
  const field = 'appEntitlementOwnerRefs';
  const entitlements = await listEntitlementsByIds(
    context,
    refs.map((ref) => ref.id),
  );
  const violations = refs.flatMap((ref, index) => {
    const row = entitlements.get(ref.id);
    const isThere = row !== undefined && row.appId === ref.appId && row.deletedAt === null;
    return isThere ? [] : [{ field: `${field}[${index}]`, description: 'there is no such entitlement in this app' }];
  });
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${field} names an entitlement that does not exist.`, { violations });
  }
  const holderIds = await listHolderIds(context, refs, maxOwners + 1);
  if (holderIds.length > maxOwners) {
    throw invalidField(field, `more than ${maxOwners} people hold these entitlements, and an app has at most that many owners`);
  }
  return holderIds;
}

/** CONFLICT where another app has the name. */
export async function refuseTakenName(context: Context, displayName: string): Promise<void> {
  if ((await findAppByName(context, displayName)) !== undefined) {
    throw new AppError('CONFLICT', `There is an app named ${JSON.stringify(displayName)} already.`);
  }
}

/** An app with the id of its built-in entitlement. */
export interface FillableApp {
  readonly id: string;
  readonly displayName: string;
  readonly appAccessId: string;
}

/**
 * The app of this name, made where it is not there. Until the transaction ends, nobody else makes, fills or deletes it: imports of one
 * app run one after the other.
 */
export async function ensureApp(context: Context, displayName: string): Promise<FillableApp> {
  const content = appContent({ displayName });
  const violations = findWrongName(content.displayName, 'app');
  refuseInvalid(violations);
  await lockAppName(context, content.displayName);
  const app = (await findAppByName(context, content.displayName)) ?? (await makeApp(context, content, []));
  // Manual changes lock the row and know nothing of names.
  await lockApp(context, app.id);
  return { id: app.id, displayName: app.displayName, appAccessId: await getAppAccessId(context, app.id) };
}

async function makeApp(context: Context, content: AppContent, ownerIds: readonly string[]): Promise<AppRow> {
  const id = newId(context.now);
  await insertApp(context, { id, ...content, appAccessId: newId(context.now) });
  await insertOwners(context, { kind: 'app', appId: id, id }, ownerIds);
  await recordEvent(context, {
    kind: 'app.created',
    targetId: id,
    data: { displayName: content.displayName, ownerIds: [...ownerIds] },
  });
  const app = await findApp(context, id);
  return orThrow(app, 'INTERNAL', 'Something went wrong on our side.', { detail: 'an app was gone right after it was made' });
}
