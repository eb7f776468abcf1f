/**
 * Data other modules may read of the catalog: a view for each interface, made by a migration, and functions. A column that is renamed in its table
 * keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** `apps_public`: an app, also one that is gone (`deleted_at`). `apps_pkey` answers by id. */
export interface AppPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly display_name: string;
  readonly name_key: string;
  readonly certify_policy_id: string;
  readonly document: unknown;
  readonly search_text: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/** `resource_types_public`: a type of resources, also one that is gone (`deleted_at`). `resource_types_pkey` answers by app and id. */
export interface ResourceTypePublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly trait_ids: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  /** The key of `external_id`: two are the same where this is. */
  readonly external_key: string;
  /** What names that look the same have in common. */
  readonly look_alike_key: string;
  /** The one of the same name that it goes on as; null for none. */
  readonly merged_into_id: string | null;
}

/**
 * `resources_public`: a resource, also one that is gone (`deleted_at`). `resources_pkey` answers by app and id, `resources_by_type` by
 * type.
 */
export interface ResourcePublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly id: string;
  readonly resource_type_id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly document: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly parent_id: string;
  /** The key of `external_id`: two are the same where this is. */
  readonly external_key: string;
  /** What names that look the same have in common. */
  readonly look_alike_key: string;
  /** The one of the same name that it goes on as; null for none. */
  readonly merged_into_id: string | null;
}

/**
 * `entitlements_public`: an entitlement, also one that is gone (`deleted_at`). `entitlements_pkey` answers by app and id,
 * `entitlements_by_id` by id alone, `entitlements_by_resource_type` by type.
 */
export interface EntitlementPublic {
  readonly tenant_id: string;
  readonly app_id: string;
  readonly id: string;
  readonly resource_type_id: string;
  readonly resource_id: string;
  readonly external_id: string;
  readonly is_app_access: boolean;
  readonly display_name: string;
  readonly description: string;
  readonly certify_policy_id: string;
  readonly alias: string;
  readonly slug: string;
  readonly purpose: string;
  readonly risk_level_value_id: string;
  readonly compliance_framework_value_ids: readonly string[];
  readonly is_manual: boolean;
  readonly source_no: number;
  readonly document: unknown;
  readonly grant_count: number;
  readonly search_text: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly last_used_at: Date | null;
  /** The key of `external_id`: two are the same where this is. */
  readonly external_key: string;
  /** What names that look the same have in common. */
  readonly look_alike_key: string;
  /** The one of the same name that it goes on as; null for none. */
  readonly merged_into_id: string | null;
  /** The resource on which it was before `moved_revision`; '' where it was always on the one it is on. `entitlements_moved` answers by it. */
  readonly moved_from_id: string;
  readonly moved_revision: number | null;
}

/** Returns the condition that the person `u` has an account in one of the apps; `accounts_by_user` answers. */
export function getHasAccountInSql(tenantId: string, appIds: readonly string[]): Sql {
  return sql`EXISTS (
    SELECT FROM accounts_public a JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL
    WHERE a.tenant_id = ${tenantId} AND a.user_id = u.id AND a.app_id = ANY (${appIds}) AND a.deleted_at IS NULL)`;
}

/** Returns those of these accounts that are in apps that are there, each with its value of an attribute; `accounts_by_id` and `apps_pkey` answer. */
export function listAccountsInApps(
  { db, tenantId }: Context,
  ids: readonly string[],
  attribute: string,
): Promise<{ id: string; appId: string; displayName: string; value: unknown }[]> {
  return db.rows(
    sql`SELECT a.id, a.app_id AS "appId", a.display_name AS "displayName", a.profile -> ${attribute} AS value FROM accounts_public a
      JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL WHERE a.tenant_id = ${tenantId} AND a.id = ANY (${ids})`,
  );
}

/**
 * Selects the ids by which what the row `t` asks about is known today, as `entitlement_id` and `account_id`: where its entitlement, account or resource (by
 * `principal_kind`) went on as another one of the same name, that one's. `entitlements_pkey` and
 * `accounts_pkey` or `resources_pkey` answer; to be joined laterally.
 */
export function getStandingIdsSql(tenantId: string): Sql {
  return sql`SELECT coalesce((SELECT e.merged_into_id FROM entitlements e WHERE e.tenant_id = ${tenantId} AND e.app_id = t.app_id AND e.id = t.entitlement_id),
      t.entitlement_id) AS entitlement_id,
    coalesce(CASE WHEN t.principal_kind = 'R'
      THEN (SELECT r.merged_into_id FROM resources r WHERE r.tenant_id = ${tenantId} AND r.app_id = t.app_id AND r.id = t.account_id)
      ELSE (SELECT a.merged_into_id FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.app_id = t.app_id AND a.id = t.account_id) END,
      t.account_id) AS account_id OFFSET 0`;
}
