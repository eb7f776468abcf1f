/** SQL that follows what goes on as others: accounts, entitlements, resources and their types. */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Merge, getMergesSql } from '../../../inventory/ledger/index.ts';

/** Lets the scopes of templates, and of reviews that froze nothing yet, name the oldest account where they named a younger one. */
export async function moveScopeAccounts({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE scope_entries e SET account_id = m.into_id FROM (${getMergesSql(merges)}) AS m
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.account_id = m.from_id
        AND NOT EXISTS (SELECT FROM review_snapshots s WHERE s.tenant_id = ${tenantId} AND s.review_id = e.subject_id)`,
  );
}

/** Lists and scopes of what froze nothing yet: a template, or a review that was not prepared; `subject` is the column of its id. */
const isUnfrozen = ({ tenantId }: Context, subject: string): Sql =>
  sql`NOT EXISTS (SELECT FROM review_snapshots s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${fixed(subject)})
    AND NOT EXISTS (SELECT FROM review_entitlements s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${fixed(subject)})`;

/** What names one that stays and stands twice in a list of a scope stands there once; the first stays. */
async function removeDoubles(context: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  const { db, tenantId } = context;
  const same = ['subject_id', 'list', 'kind', 'app_id', 'object_id', 'entitlement_id', 'account_id', 'role_resource_id'];
  const intoIds = [...new Set(merges.map((one) => one.intoId))];
  await db.run(
    sql`DELETE FROM scope_entries e WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND ${isUnfrozen(context, 'e.subject_id')}
      AND (e.entitlement_id = ANY (${intoIds}) OR e.object_id = ANY (${intoIds}) OR e.role_resource_id = ANY (${intoIds}))
      AND EXISTS (SELECT FROM scope_entries o WHERE o.tenant_id = ${tenantId} AND o.place < e.place
        AND ${fixed(same.map((column) => `o.${column} = e.${column}`).join(' AND '))})`,
  );
}

/** The same of entitlements, with what was chosen one by one. */
export async function moveScopeEntitlements(context: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  const { db, tenantId } = context;
  await db.run(
    sql`UPDATE scope_entries e SET entitlement_id = m.into_id FROM (${getMergesSql(merges)}) AS m
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.entitlement_id = m.from_id AND ${isUnfrozen(context, 'e.subject_id')}`,
  );
  await removeDoubles(context, appId, merges);
  await db.run(
    sql`WITH gone AS (
        DELETE FROM review_setup_entitlements e USING (${getMergesSql(merges)}) AS m
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.entitlement_id = m.from_id AND ${isUnfrozen(context, 'e.review_id')}
        RETURNING e.review_id, m.into_id, e.custom_policy_id, e.created_at, e.updated_at)
      INSERT INTO review_setup_entitlements (tenant_id, review_id, app_id, entitlement_id, custom_policy_id, created_at, updated_at)
      SELECT ${tenantId}, g.review_id, ${appId}, g.into_id, g.custom_policy_id, g.created_at, g.updated_at FROM gone g ON CONFLICT DO NOTHING`,
  );
}

/** The same of resources. */
export async function moveScopeResources(context: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  const { db, tenantId } = context;
  const now = (column: 'object_id' | 'role_resource_id'): Sql =>
    sql`coalesce((SELECT m.into_id FROM (${getMergesSql(merges)}) AS m WHERE m.from_id = e.${fixed(column)}), e.${fixed(column)})`;
  const fromIds = merges.map((one) => one.fromId);
  await db.run(
    sql`UPDATE scope_entries e SET object_id = ${now('object_id')}, role_resource_id = ${now('role_resource_id')}
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND (e.object_id = ANY (${fromIds}) OR e.role_resource_id = ANY (${fromIds}))
        AND ${isUnfrozen(context, 'e.subject_id')}`,
  );
  await removeDoubles(context, appId, merges);
}

/** The same of resource types, with those that were chosen whole. */
export async function moveScopeTypes(context: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  const { db, tenantId } = context;
  await moveScopeResources(context, appId, merges);
  await db.run(
    sql`WITH gone AS (
        DELETE FROM review_setup_resource_types e USING (${getMergesSql(merges)}) AS m
        WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.resource_type_id = m.from_id AND ${isUnfrozen(context, 'e.review_id')}
        RETURNING e.review_id, m.into_id, e.created_at)
      INSERT INTO review_setup_resource_types (tenant_id, review_id, app_id, resource_type_id, created_at)
      SELECT ${tenantId}, g.review_id, ${appId}, g.into_id, g.created_at FROM gone g ON CONFLICT DO NOTHING`,
  );
}

/** Lets the lists of a review or template that were made or taken up again name what stays where something they name went on as another. */
export async function updateStandingIds({ db, tenantId }: Context, subjectId: string): Promise<void> {
  const now = (column: string, ...tables: readonly string[]): Sql =>
    fixed(
      `coalesce(${tables
        .map(
          (table) =>
            `(SELECT x.merged_into_id FROM ${table} x WHERE x.tenant_id = e.tenant_id AND x.app_id = e.app_id AND x.id = e.${column})`,
        )
        .join(', ')}, e.${column})`,
    );
  const entitlementId = now('entitlement_id', 'entitlements_public');
  const typeId = now('resource_type_id', 'resource_types_public');
  await db.run(
    sql`UPDATE scope_entries e SET entitlement_id = ${entitlementId}, account_id = ${now('account_id', 'accounts_public')},
        object_id = ${now('object_id', 'resources_public', 'resource_types_public')}, role_resource_id = ${now('role_resource_id', 'resources_public')}
      WHERE e.tenant_id = ${tenantId} AND e.subject_id = ${subjectId} AND e.app_id <> ''`,
  );
  await db.run(
    sql`WITH went AS (
        DELETE FROM review_setup_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${subjectId} AND ${entitlementId} <> e.entitlement_id
        RETURNING e.app_id, ${entitlementId} AS entitlement_id, e.custom_policy_id, e.created_at, e.updated_at)
      INSERT INTO review_setup_entitlements (tenant_id, review_id, app_id, entitlement_id, custom_policy_id, created_at, updated_at)
      SELECT ${tenantId}, ${subjectId}, w.app_id, w.entitlement_id, w.custom_policy_id, w.created_at, w.updated_at FROM went w ON CONFLICT DO NOTHING`,
  );
  await db.run(
    sql`WITH went AS (
        DELETE FROM review_setup_resource_types e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${subjectId} AND ${typeId} <> e.resource_type_id
        RETURNING e.app_id, ${typeId} AS resource_type_id, e.created_at)
      INSERT INTO review_setup_resource_types (tenant_id, review_id, app_id, resource_type_id, created_at)
      SELECT ${tenantId}, ${subjectId}, w.app_id, w.resource_type_id, w.created_at FROM went w ON CONFLICT DO NOTHING`,
  );
}
