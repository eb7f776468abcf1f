/** SQL of the rows of a snapshot a page at a time, for who writes them out whole: lines as events have them, what commitments stand for, and grants. */
import { allSql, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { personCommitted } from '../freeze/index.ts';
import { accountCommitted, getPopulationSql, type SnapshotItems, type Verdict, verdicts } from '../items/index.ts';
import { snapshotTables } from './store-lines.ts';

const sourceKey = `t.app_id, lpad((t.source_no + 1)::text, 6, '0')`;

/** The columns after which the rows `t` of a table are in order, all of them texts. */
const keys = {
  review_accounts: 't.app_id, t.account_id',
  review_people: 't.user_id',
  review_entitlements: 't.app_id, t.entitlement_id',
  review_conflict_grants: 't.app_id, t.account_id, t.entitlement_id',
  review_reviewed: 't.account_id, t.entitlement_id',
  review_sources: sourceKey,
  review_source_changes: `${sourceKey}, lpad(t.revision::text, 19, '0')`,
} as const;

/** A table whose lines can be read a page at a time. */
export type PagedTable = keyof typeof keys;

/** A row with its key. */
export interface KeyedLine {
  readonly key: readonly string[];
  readonly line: string;
}

const isAfter = (columns: Sql, after: readonly string[]): Sql =>
  after.length === 0
    ? sql`TRUE`
    : sql`(${columns}) > (${joinSql(
        after.map((one) => sql`${one}::text`),
        ', ',
      )})`;

/** Lists lines of a snapshot's table behind a key, in the order of keys. */
export function listSnapshotLines(
  { db, tenantId }: Context,
  table: PagedTable,
  snapshotId: string,
  after: readonly string[],
  limit: number,
): Promise<KeyedLine[]> {
  const found = snapshotTables.find((one) => one.table === table);
  if (found === undefined) {
    throw new Error(`${table} is no table of snapshots`);
  }
  const columns = fixed(keys[table]);
  const isWanted = allSql([sql`t.review_id = ${snapshotId}`, isAfter(columns, after)]);
  return db.rows<KeyedLine>(sql`${found.getLines(tenantId, isWanted, sql`ARRAY[${columns}]::text[]`)} LIMIT ${limit}`);
}

/** Text that a commitment stands for; the salt is null where that was erased. */
export interface CommittedRow {
  readonly key: readonly string[];
  readonly committed: string;
  readonly salt: string | null;
}

/** Lists the people of a snapshot by what their commitments stand for. */
export function listSnapshotPeople({ db, tenantId }: Context, snapshotId: string, [after = '']: readonly string[], limit: number) {
  return db.rows<CommittedRow>(
    sql`SELECT ARRAY[n.user_id] AS key, ${personCommitted} AS committed, encode(uuid_send(n.salt), 'hex') AS salt FROM review_people n
      WHERE n.tenant_id = ${tenantId} AND n.review_id = ${snapshotId} AND n.user_id > ${after} ORDER BY n.user_id LIMIT ${limit}`,
  );
}

/** Lists the accounts of a snapshot by what their commitments stand for. */
export function listSnapshotAccounts({ db, tenantId }: Context, snapshotId: string, after: readonly string[], limit: number) {
  const [appId = '', accountId = ''] = after;
  return db.rows<CommittedRow>(
    sql`SELECT ARRAY[n.app_id, n.account_id] AS key, ${accountCommitted} AS committed, encode(uuid_send(n.salt), 'hex') AS salt FROM review_accounts n
      WHERE n.tenant_id = ${tenantId} AND n.review_id = ${snapshotId} AND (n.app_id, n.account_id) > (${appId}, ${accountId})
      ORDER BY n.app_id, n.account_id LIMIT ${limit}`,
  );
}

/** A grant of the population of a snapshot. */
export interface PopulationGrant {
  readonly appId: string;
  readonly accountId: string;
  readonly entitlementId: string;
  readonly grantedAt: Date | null;
  readonly firstSeenAt: Date;
  readonly held: 'DIRECT' | 'INHERITED' | 'BOTH';
  readonly lastUsedAt: Date | null;
  readonly endsAt: Date | null;
  readonly revision: number;
  readonly sourceNo: number;
  readonly kind: string;
  readonly verdict: Verdict;
}

/** The way in which the grant `n` is held; an empty path is the direct one, and no paths say the same. @internal */
export const heldSql = fixed(`CASE
  WHEN n.paths IS NULL OR NOT jsonb_path_exists(n.paths, 'strict $[*] ? (@.size() > 0)') THEN 'DIRECT'
  WHEN jsonb_path_exists(n.paths, 'strict $[*] ? (@.size() == 0)') THEN 'BOTH' ELSE 'INHERITED' END`);

/** Accounts whose grants are looked up together. */
const accountsAtOnce = 500;

/**
 * Lists grants of the population behind a key (app, account, entitlement), in the order of keys. `next` is the key to go on behind, undefined behind the
 * last account: the accounts of a page may have no grants.
 */
export async function listPopulation(
  context: Context,
  items: SnapshotItems,
  after: readonly string[],
  limit: number,
): Promise<{ readonly grants: PopulationGrant[]; readonly next: readonly string[] | undefined }> {
  const { db, tenantId } = context;
  const [appId = '', accountId = '', entitlementId = ''] = after;
  const accounts = sql`SELECT f.* FROM review_accounts f WHERE f.tenant_id = ${tenantId} AND f.review_id = ${items.id}
    AND (f.app_id, f.account_id) >= (${appId}, ${accountId}) ORDER BY f.app_id, f.account_id LIMIT ${accountsAtOnce}`;
  const grants = await db.rows<PopulationGrant>(
    sql`SELECT n.app_id AS "appId", n.account_id AS "accountId", n.entitlement_id AS "entitlementId", n.granted_at AS "grantedAt",
        n.created_at AS "firstSeenAt", ${heldSql} AS held, n.last_used_at AS "lastUsedAt", n.deprovision_at AS "endsAt", n.added_revision AS revision, n.source_no AS "sourceNo",
        n.principal_kind AS kind, (${[...verdicts]}::text[])[n.verdict_no + 1] AS verdict
      FROM (${getPopulationSql(context, items, accounts)}) n
      WHERE (n.app_id, n.account_id, n.entitlement_id) > (${appId}, ${accountId}, ${entitlementId})
      ORDER BY n.app_id, n.account_id, n.entitlement_id LIMIT ${limit}`,
  );
  const last = grants.at(-1);
  if (last !== undefined && grants.length === limit) {
    return { grants, next: [last.appId, last.accountId, last.entitlementId] };
  }
  const end = await db.one<{ count: number; key: readonly (readonly string[])[] | null }>(
    sql`SELECT count(*) AS count, (array_agg(ARRAY[a.app_id, a.account_id] ORDER BY a.app_id DESC, a.account_id DESC))[1:1] AS key FROM (${accounts}) a`,
  );
  // '~' sorts behind every identifier.
  const [place] = end.key ?? [];
  return { grants, next: end.count < accountsAtOnce || place === undefined ? undefined : [...place, '~'] };
}
