/**
 * For tests of grants without files: an app whose entitlements are made manually, and people to give them to. Rows are written as the
 * production role.
 */
import { createApp } from '../../src/inventory/catalog/apps/create-app.ts';
import { createUser } from '../../src/foundation/directory/index.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/wire/ids.ts';

/** An app of a test, and who is there. */
export interface ManualApp {
  readonly appId: string;
  readonly appAccessId: string;
  /** Manual entitlements by their place. */
  readonly entitlementIds: readonly string[];
  /** People by their place; their addresses are p0@LABEL.example, p1@LABEL.example and so on. */
  readonly userIds: readonly string[];
}

/** Adds an entitlement that is made manually, or reported by a source where one is named, and returns its id. */
export async function insertEntitlement(context: Context, appId: string, name: string, sourceNo = 0): Promise<string> {
  const id = newId(context.now);
  await context.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, slug, is_manual, source_no, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $7, $7)`,
    [context.tenantId, appId, id, name, sourceNo === 0, sourceNo, context.now],
  );
  return id;
}

/** Makes an app with so many entitlements, and as many people as are named. `label` keeps several of one tenant apart. */
export async function makeManualApp(context: Context, label: string, entitlements: number, people: number): Promise<ManualApp> {
  const { id: appId } = await createApp(context, { displayName: label }, []);
  const entitlementIds: string[] = [];
  for (let number = 0; number < entitlements; number++) {
    entitlementIds.push(await insertEntitlement(context, appId, `e${number}`));
  }
  const userIds: string[] = [];
  for (let number = 0; number < people; number++) {
    userIds.push(await createUser(context, { email: `p${number}@${label}.example`, displayName: `Person ${number}`, roles: [] }));
  }
  const { id: appAccessId } = await context.db.one<{ id: string }>(
    'SELECT id FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND is_app_access',
    [context.tenantId, appId],
  );
  return { appId, appAccessId, entitlementIds, userIds };
}
