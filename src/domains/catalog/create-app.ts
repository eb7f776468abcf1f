/**
 * Making an app: by hand, or because a file of grants names one that is not there.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, invalidField, invalidFields } from '../../errors.ts';
import { inTransaction, type Scope } from '../../scope.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { type AppContent, contentJson, contentOf, findWrongName, requireContent } from './app-content.ts';
import { maxOwners, requireOwners } from './change-owners.ts';
import {
  type AppRow,
  findApp,
  findAppAccessId,
  findAppByName,
  insertApp,
  insertOwners,
  listHolderIds,
  lockApp,
  lockAppName,
} from './store-apps.ts';
import { listEntitlementsByIds } from './store-entitlements.ts';

/** An entitlement by its app and id. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/**
 * Makes an app with its built-in entitlement and returns it. Its owners are the people named, and those who hold one of the entitlements
 * named now: who is given one later does not become an owner by it. INVALID_ARGUMENT for a bad member, owners that are nobody, or
 * entitlements that are not there; CONFLICT where another app has the name in any case.
 */
export function createApp(
  scope: Scope,
  sent: JsonObject,
  ownerIds: readonly string[],
  ownerRefs: readonly EntitlementRef[] = [],
): Promise<AppRow> {
  const content = contentOf(sent);
  return inTransaction(scope, async (inside) => {
    await requireContent(inside, content, new Set(Object.keys(contentJson(content))), '');
    await requireOwners(inside, ownerIds, 'owners');
    const holderIds = await findHolders(inside, ownerRefs);
    await lockAppName(inside, content.displayName);
    await refuseTakenName(inside, content.displayName);
    return makeApp(inside, content, [...new Set([...ownerIds, ...holderIds])]);
  });
}

async function findHolders(scope: Scope, refs: readonly EntitlementRef[]): Promise<string[]> {
  if (refs.length === 0) {
    return [];
  }
  const field = 'appEntitlementOwnerRefs';
  const entitlements = await listEntitlementsByIds(
    scope,
    refs.map((ref) => ref.id),
  );
  const violations = refs.flatMap((ref, index) => {
    const row = entitlements.get(ref.id);
    const isThere = row !== undefined && row.appId === ref.appId && row.deletedAt === null;
    return isThere ? [] : [{ field: `${field}[${index}]`, description: 'there is no such entitlement in this app' }];
  });
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${field} names an entitlement that is not there.`, { violations });
  }
  const holderIds = await listHolderIds(scope, refs, maxOwners + 1);
  if (holderIds.length > maxOwners) {
    throw invalidField(field, `more than ${maxOwners} people hold these entitlements, and no app has more owners`);
  }
  return holderIds;
}

/** CONFLICT where another app has the name. */
export async function refuseTakenName(scope: Scope, displayName: string): Promise<void> {
  if ((await findAppByName(scope, displayName)) !== undefined) {
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
export async function ensureApp(scope: Scope, displayName: string): Promise<FillableApp> {
  const content = contentOf({ displayName });
  const violations = findWrongName(content.displayName, 'app');
  if (violations.length > 0) {
    throw invalidFields(violations);
  }
  await lockAppName(scope, content.displayName);
  const app = (await findAppByName(scope, content.displayName)) ?? (await makeApp(scope, content, []));
  // Changes by hand lock the row and know nothing of names.
  await lockApp(scope, app.id);
  return { id: app.id, displayName: app.displayName, appAccessId: await findAppAccessId(scope, app.id) };
}

async function makeApp(scope: Scope, content: AppContent, ownerIds: readonly string[]): Promise<AppRow> {
  const id = newId(scope.now);
  await insertApp(scope, { id, ...content, appAccessId: newId(scope.now) });
  await insertOwners(scope, id, ownerIds);
  await recordEvent(scope, {
    kind: 'app.created',
    targetType: 'app',
    targetId: id,
    data: { displayName: content.displayName, ownerIds: [...ownerIds] },
  });
  const app = await findApp(scope, id);
  if (app === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'an app was gone right after it was made' });
  }
  return app;
}
