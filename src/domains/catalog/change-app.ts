/**
 * Changing and deleting an app.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppSchema } from '../../gen/c1/api/app/v1/app_pb.js';
import { inTransaction, type Scope } from '../../scope.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { recordEvent } from '../audit/index.ts';
import { contentOf, refuseTakenName } from './create-app.ts';
import { requireApp, requireLockedApp } from './require.ts';
import { type AppRow, getAppNameKey, lockAppName, updateApp } from './store-apps.ts';
import { findLiveAccess, removeApp, updateAccessEnded, updateTimeLimit } from './store-delete-app.ts';
import { takeRevision } from './take-revision.ts';

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the app. NOT_FOUND for none, INVALID_ARGUMENT
 * for a bad mask or name, CONFLICT where another app has the name.
 */
export function changeApp(scope: Scope, id: string, sent: JsonObject, mask: readonly string[] | undefined): Promise<AppRow> {
  return inTransaction(scope, async (inside) => {
    const app = await requireLockedApp(inside, id);
    const before: JsonObject = { ...app.document, displayName: app.displayName, certifyPolicyId: app.certifyPolicyId };
    const content = contentOf(applyUpdate(AppSchema, before, sent, mask), 'app.displayName');
    const after: JsonObject = { ...content.document, displayName: content.displayName, certifyPolicyId: content.certifyPolicyId };
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    );
    if (fields.length === 0) {
      return app;
    }
    if (getAppNameKey(content.displayName) !== getAppNameKey(app.displayName)) {
      await lockAppName(inside, content.displayName);
      await refuseTakenName(inside, content.displayName);
    }
    await updateApp(inside, { id, ...content });
    const pick = (from: JsonObject) => Object.fromEntries(fields.filter((name) => name in from).map((name) => [name, from[name]]));
    await recordEvent(inside, {
      kind: 'app.updated',
      targetType: 'app',
      targetId: id,
      data: { fields: fields.sort(), from: pick(before), to: pick(after) },
    });
    return requireApp(inside, id);
  });
}

/**
 * Deletes an app and all that is in it: from then on nobody finds it, and its name is free. Nothing of it is erased, since reviews and
 * events tell of it; its grants end with a revision, so that the history says when, and open reviews end their tasks about them as about
 * any access that is gone. Waits for an import into it. NOT_FOUND for none.
 */
export function deleteApp(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (inside) => {
    const { displayName } = await requireApp(inside, id);
    await lockAppName(inside, displayName);
    const app = await requireLockedApp(inside, id);
    await updateTimeLimit(inside);
    const revision = (await findLiveAccess(inside, id)) ? await takeRevision(inside, id, 'MANUAL') : undefined;
    const endedGrants = revision === undefined ? 0 : await updateAccessEnded(inside, id, revision);
    await removeApp(inside, id);
    await recordEvent(inside, {
      kind: 'app.deleted',
      targetType: 'app',
      targetId: id,
      data: { displayName: app.displayName, ownerIds: [...app.ownerIds], userCount: app.userCount, endedGrants },
    });
  });
}
