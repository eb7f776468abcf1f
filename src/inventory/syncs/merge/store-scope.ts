/**
 * SQL of the part of an app that a sync looks at: the accounts of the groups of rows that differ, and what the app has in all.
 */
import type { Context } from '../../../context.ts';
import { empty, sql } from '../../../lib/sql.ts';

const accountsAtOnce = 5000;

/** Lets statistics of temporary tables be made of fewer rows: they hold a small part of the file. */
export async function setSmallStatistics(context: Context): Promise<void> {
  await context.db.run('SET LOCAL default_statistics_target = 10');
}

/** Takes the accounts of the app whose key is wanted into `import_scope`; deleted ones hold nothing and are left out. */
export async function stageScope(context: Context, appId: string, isWanted: (key: string) => boolean): Promise<void> {
  await context.db.run('CREATE TEMP TABLE import_scope (id text COLLATE "C" NOT NULL) ON COMMIT DROP');
  let after = '';
  for (;;) {
    const rows = await context.db.rows<{ id: string; key: string }>(
      sql`SELECT id, external_key AS key FROM accounts_public
        WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND external_key > ${after} AND status <> 'DELETED'
        ORDER BY external_key LIMIT ${accountsAtOnce}`,
    );
    const ids = rows.flatMap(({ id, key }) => (isWanted(key) ? [id] : []));
    if (ids.length > 0) {
      await context.db.run(sql`INSERT INTO import_scope SELECT unnest(${ids}::text[])`);
    }
    if (rows.length < accountsAtOnce) {
      break;
    }
    after = rows.at(-1)?.key ?? '';
  }
  await context.db.run('ANALYZE import_scope');
}

/** Content of the app from a source that alone gives access in it. */
export interface Delivered {
  readonly accounts: number;
  readonly resourceTypes: number;
  readonly resources: number;
  readonly entitlements: number;
  readonly grants: number;
}

/**
 * Counts each kind that a source delivers to an app in which nobody else gives access: what the catalog counts, and the accounts. With `hasListed`
 * entitlements count, too, that the file lists whoever holds them.
 */
export function countDelivered(context: Context, appId: string, sourceNo: number, hasListed: boolean): Promise<Delivered> {
  const { tenantId } = context;
  const listed = hasListed
    ? sql`OR e.id IN (SELECT i.id FROM import_entitlement_ids i JOIN import_entitlements n ON n.no = i.no WHERE n.is_listed)`
    : empty;
  return context.db.one<Delivered>(
    sql`SELECT count(DISTINCT resource_type_id) AS "resourceTypes", count(DISTINCT resource_id) AS resources, count(*) AS entitlements,
       coalesce(sum(grant_count), 0)::bigint AS grants,
       (SELECT count(*) FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.status <> 'DELETED' AND a.source_no = ${sourceNo}) AS accounts
     FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND (e.grant_count > 0 ${listed}) AND NOT e.is_app_access AND e.deleted_at IS NULL`,
  );
}

/** The names of accounts of the file that must be looked at again with the next one: those that warnings name, and those whose last row counts. */
export function listUnsettled(context: Context, limit: number): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT account FROM import_accounts
      WHERE has_many_profiles OR (user_id IS NULL AND NOT is_by_hand AND NOT is_foreign AND (email_key <> '' OR match_count > 1))
      UNION SELECT account FROM import_zeros LIMIT ${limit}`,
  );
}

/** True if the type of a profile attribute of accounts was set or removed since; both convert what accounts say. */
export function hasChangedAttributes(context: Context, since: Date): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM events WHERE tenant_id = ${context.tenantId} AND target_id <> '' AND target_id >= 'ACCOUNT/' AND target_id < 'ACCOUNT0'
      AND occurred_at >= ${since}) AS found`,
  );
}
