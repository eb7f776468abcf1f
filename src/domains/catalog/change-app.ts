/**
 * Changing an app.
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
