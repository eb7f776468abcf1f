/**
 * Changing an app.
 */
import { type AppJson, AppSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { getNameKey } from '../../../lib/names/same-name.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { contentJson, appContent, requireContent } from './app-content.ts';
import { refuseTakenName } from './create-app.ts';
import { type AppRow, lockAppName, requireApp, requireLockedApp, updateApp } from '../record/index.ts';

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the app. What stays as it was is not checked
 * again. NOT_FOUND for none, INVALID_ARGUMENT for a bad mask or member, CONFLICT where another app has the name.
 */
export function changeApp(context: Context, id: string, sent: AppJson, mask: readonly string[] | undefined): Promise<AppRow> {
  return inTransaction(context, async (inside) => {
    const app = await requireLockedApp(inside, id);
    const before = contentJson(app);
    const content = appContent(applyUpdate(AppSchema, before, sent, mask));
    const { fields, from, to } = compareDocuments(before, contentJson(content));
    if (fields.length === 0) {
      return app;
    }
    await refuseStale(inside, { member: 'app', targetId: id, kinds: ['app.updated'], before, fields });
    await requireContent(inside, content, new Set(fields), 'app.');
    if (getNameKey(content.displayName) !== getNameKey(app.displayName)) {
      await lockAppName(inside, content.displayName);
      await refuseTakenName(inside, content.displayName);
    }
    await updateApp(inside, { id, ...content });
    await recordEvent(inside, { kind: 'app.updated', targetId: id, data: { fields, from, to } });
    return requireApp(inside, id);
  });
}
