/**
 * SQL of the tables `apps` and `app_owners`, and of the one entitlement that comes with each app.
 */
import type { AppJson } from '../../../gen/c1/api/app/v1/app_pb.js';
import { getNameKey } from '../../../lib/names/same-name.ts';
import { allSql, fixed, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { hasText } from '../../../foundation/search/index.ts';
import { catalogSlot } from './slots.ts';

/** An app. */
export interface AppRow {
  readonly id: string;
  readonly displayName: string;
  readonly certifyPolicyId: string;
  /** The other writable members of the App message, in canonical wire form. */
  readonly document: AppJson;
  /** Accounts that are not deleted. */
  readonly userCount: number;
  /** True if its people are the people of the tenant. */
  readonly isDirectory: boolean;
  /** The people who own it in the default role, in the order in which they were named. */
  readonly ownerIds: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const getColumns =
  (): string => `a.id, a.display_name AS "displayName", a.certify_policy_id AS "certifyPolicyId", a.document, a.user_count AS "userCount",
  a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.deleted_at AS "deletedAt",
  ${catalogSlot.get().isDirectory} AS "isDirectory",
  ARRAY(SELECT o.user_id FROM app_owners o WHERE o.tenant_id = a.tenant_id AND o.app_id = a.id AND o.role_slug = 'owner' ORDER BY o.place, o.user_id)::text[] AS "ownerIds"`;

/** Waits for whoever else makes, fills or deletes the app of this name. */
export async function lockAppName(context: Context, displayName: string): Promise<void> {
  await context.db.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`, [
    `countersign.app.${context.tenantId}.${getNameKey(displayName)}`,
  ]);
}

/**
 * Lets this transaction wait for locks no longer than a quarter of a second at a time; it is then begun again, and meanwhile others have its
 * connection. A large file holds its app for long, and whoever changes that app manually must not keep connections from everybody else.
 */
export async function setLockWait(context: Context): Promise<void> {
  await context.db.rows(`SELECT set_config('lock_timeout', $1, true)`, ['250']);
}

/** The app with this id; undefined where it is deleted. */
export function findApp(context: Context, id: string): Promise<AppRow | undefined> {
  return context.db.maybe<AppRow>(`SELECT ${getColumns()} FROM apps a WHERE a.tenant_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`, [
    context.tenantId,
    id,
  ]);
}

/** The same, locked until the transaction ends. */
export function lockApp(context: Context, id: string): Promise<AppRow | undefined> {
  return context.db.maybe<AppRow>(
    `SELECT ${getColumns()} FROM apps a WHERE a.tenant_id = $1 AND a.id = $2 AND a.deleted_at IS NULL FOR NO KEY UPDATE OF a`,
    [context.tenantId, id],
  );
}

/** The app of this name. */
export function findAppByName(context: Context, displayName: string): Promise<AppRow | undefined> {
  return context.db.maybe<AppRow>(
    `SELECT ${getColumns()} FROM apps a WHERE a.tenant_id = $1 AND a.name_key = $2 AND a.deleted_at IS NULL`,
    [context.tenantId, getNameKey(displayName)],
  );
}

/** The apps with these ids by id, deleted ones too, since old reviews name them. */
export async function listAppsByIds(context: Context, ids: readonly string[]): Promise<Map<string, AppRow>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await context.db.rows<AppRow>(`SELECT ${getColumns()} FROM apps a WHERE a.tenant_id = $1 AND a.id = ANY ($2)`, [
    context.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** App search; a member that is undefined filters nothing. Deleted apps are never among them. */
export interface AppFilter {
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  /** The whole name, in any case. */
  readonly displayName?: string | undefined;
  /** Its id, or words of the name or the description. */
  readonly query?: string | undefined;
  /** Any of the policies an app names. */
  readonly policyIds?: readonly string[] | undefined;
  readonly isDirectory?: true | undefined;
}

const conditions: Conditions<AppFilter> = {
  ids: (ids) => sql`a.id = ANY (${ids})`,
  excludeIds: (ids) => sql`a.id <> ALL (${ids})`,
  displayName: (name) => sql`fold_case(a.name_key) = fold_case(${getNameKey(name)})`,
  query: hasText('a'),
  policyIds: (ids) =>
    sql`(a.certify_policy_id = ANY (${ids}) OR a.document ->> 'grantPolicyId' = ANY (${ids}) OR a.document ->> 'revokePolicyId' = ANY (${ids}))`,
  isDirectory: () => fixed(catalogSlot.get().isDirectory),
};

/** A page of apps by id. */
export function listApps(context: Context, filter: AppFilter, after: string, limit: number): Promise<AppRow[]> {
  const where = [
    sql`a.tenant_id = ${context.tenantId} AND a.id > ${after} AND a.deleted_at IS NULL`,
    ...listConditions(filter, conditions),
  ];
  return context.db.rows<AppRow>(sql`SELECT ${fixed(getColumns())} FROM apps a WHERE ${allSql(where)} ORDER BY a.id LIMIT ${limit}`);
}

/** Contents of an app. */
export type NewApp = Pick<AppRow, 'id' | 'displayName' | 'certifyPolicyId' | 'document'> & { readonly appAccessId: string };

/** Adds an app and its built-in entitlement, app access. CONFLICT where another app has the name. */
export async function insertApp(context: Context, app: NewApp): Promise<void> {
  await context.db.run(
    `INSERT INTO apps (tenant_id, id, display_name, name_key, certify_policy_id, document, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [
      context.tenantId,
      app.id,
      app.displayName,
      getNameKey(app.displayName),
      app.certifyPolicyId,
      JSON.stringify(app.document),
      context.now,
    ],
  );
  await context.db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, external_id, is_app_access, display_name, description, created_at, updated_at)
     VALUES ($1, $2, $3, '', true, 'App access', 'Having an account in this app', $4, $4)`,
    [context.tenantId, app.id, app.appAccessId, context.now],
  );
}

/** The id of an app's built-in entitlement. */
export function getAppAccessId(context: Context, appId: string): Promise<string> {
  return context.db.value<string>(`SELECT id FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND is_app_access`, [
    context.tenantId,
    appId,
  ]);
}

/** Changes an app's content. CONFLICT where another app has the name. */
export async function updateApp(context: Context, app: Pick<AppRow, 'id' | 'displayName' | 'certifyPolicyId' | 'document'>): Promise<void> {
  await context.db.run(
    `UPDATE apps SET display_name = $3, name_key = $4, certify_policy_id = $5, document = $6, updated_at = $7 WHERE tenant_id = $1 AND id = $2`,
    [
      context.tenantId,
      app.id,
      app.displayName,
      getNameKey(app.displayName),
      app.certifyPolicyId,
      JSON.stringify(app.document),
      context.now,
    ],
  );
}

/** The people whose accounts hold one of these entitlements, by id, and no more than the limit. */
export function listHolderIds(
  context: Context,
  refs: readonly { readonly appId: string; readonly id: string }[],
  limit: number,
): Promise<string[]> {
  return context.db.column<string>(
    `SELECT DISTINCT c.user_id AS id
     FROM unnest($2::text[], $3::text[]) AS n (app_id, entitlement_id)
     JOIN apps p ON p.tenant_id = $1 AND p.id = n.app_id AND p.deleted_at IS NULL
     JOIN grants_held g ON g.tenant_id = $1 AND g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id
     JOIN accounts_public c ON c.tenant_id = $1 AND c.app_id = g.app_id AND c.id = g.account_id
     JOIN users_public u ON u.tenant_id = $1 AND u.id = c.user_id AND u.status <> 'DELETED'
     ORDER BY id LIMIT $4`,
    [context.tenantId, refs.map((ref) => ref.appId), refs.map((ref) => ref.id), limit],
  );
}
