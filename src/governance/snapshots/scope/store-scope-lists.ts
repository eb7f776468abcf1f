/**
 * SQL about the lists behind the markers of a scope and what is left out of it: the table `scope_entries`, of reviews and of templates. Ids in
 * them are as they were sent; some may be of nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/**
 * The lists (`scope_entries.list`); that only changes are asked about is an entry of one that has nothing else, and grants are all that is asked about
 * where any are listed.
 */
export type ScopeList = 'MONITOR' | 'RESOURCE' | 'SCOPE_ROLE' | 'EXCLUSION' | 'CHANGES_ONLY' | 'GRANT';

/** The lists by the names they have on the wire. */
export const listNames = {
  MONITOR: 'monitorIds',
  RESOURCE: 'resources',
  SCOPE_ROLE: 'scopeRoles',
  EXCLUSION: 'exclusions',
  CHANGES_ONLY: 'changesOnly',
  GRANT: 'grants',
} as const satisfies Readonly<Record<ScopeList, string>>;

/** Kind of thing an exclusion leaves out (`scope_entries.kind`); empty in the other lists. */
export type ExclusionKind = '' | 'ENTITLEMENT' | 'RESOURCE' | 'RESOURCE_TYPE' | 'USER' | 'ACCOUNT' | 'GRANT';

/** An entry; what it does not say is empty. */
export interface ScopeEntry {
  readonly list: ScopeList;
  readonly kind: ExclusionKind;
  readonly appId: string;
  /** Of the monitor, resource, resource type or person; of a pair of scope and role, the scope's resource. */
  readonly objectId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly roleResourceId: string;
  readonly reason: string;
}

/** The entries of a review or template, list by list in the order they were sent. */
export function listScopeEntries(context: Context, subjectId: string): Promise<ScopeEntry[]> {
  return context.db.rows<ScopeEntry>(
    `SELECT s.list, s.kind, s.app_id AS "appId", s.object_id AS "objectId", s.entitlement_id AS "entitlementId", s.account_id AS "accountId",
       s.role_resource_id AS "roleResourceId", s.reason
     FROM scope_entries s WHERE s.tenant_id = $1 AND s.subject_id = $2 ORDER BY s.list, s.place`,
    [context.tenantId, subjectId],
  );
}

/** Entries list by list, as they are read. */
const inOrder = (entries: readonly ScopeEntry[]): ScopeEntry[] =>
  [...entries].sort((one, other) => (one.list < other.list ? -1 : one.list > other.list ? 1 : 0));

/** Makes these the entries of a review or template, in place of those it has; how many were added and removed, none where all stay. */
export async function updateScopeEntries(
  context: Context,
  subjectId: string,
  entries: readonly ScopeEntry[],
): Promise<{ added: number; removed: number }> {
  if (isDeepStrictEqual(await listScopeEntries(context, subjectId), inOrder(entries))) {
    return { added: 0, removed: 0 };
  }
  const removed = await context.db.run('DELETE FROM scope_entries s WHERE s.tenant_id = $1 AND s.subject_id = $2', [
    context.tenantId,
    subjectId,
  ]);
  const added = await context.db.run(
    `INSERT INTO scope_entries (tenant_id, subject_id, list, place, kind, app_id, object_id, entitlement_id, account_id, role_resource_id, reason,
       created_at)
     SELECT $1, $2, n.list, n.place, n.kind, n.app_id, n.object_id, n.entitlement_id, n.account_id, n.role_resource_id, n.reason, $3
     FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[]) WITH ORDINALITY
       AS n (list, kind, app_id, object_id, entitlement_id, account_id, role_resource_id, reason, place)`,
    [
      context.tenantId,
      subjectId,
      context.now,
      entries.map((entry) => entry.list),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.appId),
      entries.map((entry) => entry.objectId),
      entries.map((entry) => entry.entitlementId),
      entries.map((entry) => entry.accountId),
      entries.map((entry) => entry.roleResourceId),
      entries.map((entry) => entry.reason),
    ],
  );
  return { added, removed };
}

/** Copies the entries of a review or template to another that has none yet. */
export async function insertScopeEntriesCopy(context: Context, fromId: string, toId: string): Promise<void> {
  await context.db.run(
    `INSERT INTO scope_entries (tenant_id, subject_id, list, place, kind, app_id, object_id, entitlement_id, account_id, role_resource_id, reason,
       created_at)
     SELECT s.tenant_id, $3, s.list, s.place, s.kind, s.app_id, s.object_id, s.entitlement_id, s.account_id, s.role_resource_id, s.reason, $4
     FROM scope_entries s WHERE s.tenant_id = $1 AND s.subject_id = $2`,
    [context.tenantId, fromId, toId, context.now],
  );
}

/** Selects the grants that scopes name one by one: `subject_id`, `app_id`, `account_id`, `entitlement_id`. `scope_entries_pkey` answers by subject. */
export const getNamedGrantsSql = (tenantId: string): Sql =>
  sql`SELECT x.subject_id, x.app_id, x.account_id, x.entitlement_id FROM scope_entries x WHERE x.tenant_id = ${tenantId} AND x.list = 'GRANT'`;
