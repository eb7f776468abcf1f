/**
 * SQL of the lines of a snapshot: what its event vouches for of each row, as the bundle of evidence has it. They name people and accounts by commitments
 * alone, so that an erasure changes none.
 */
import { bytesJson, flagJson, lineJson, textJson, timeJson, wholeJson } from '../../../lib/log/line-sql.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';

/** A table of snapshots, and the rows of one as lines. */
export interface SnapshotTable {
  readonly table: string;
  /** Selects `review_id`, `id` (names the row) and `line` in the order of keys, of the rows that a condition over `t` wants; also their `key`. */
  readonly getLines: (tenantId: string, isWanted: Sql, key?: Sql) => Sql;
}

const of = (table: string, from: Sql, id: string, order: string, line: Sql): SnapshotTable => ({
  table,
  getLines: (
    tenantId,
    isWanted,
    key,
  ) => sql`SELECT t.review_id, ${fixed(id)} AS id, ${line} AS line${key === undefined ? fixed('') : sql`, ${key} AS key`} FROM ${from} t
    WHERE t.tenant_id = ${tenantId} AND ${isWanted} ORDER BY t.review_id, ${fixed(order)}`,
});

const entitlementLine = lineJson({
  app: textJson('t.app_id'),
  appAccess: flagJson('t.is_app_access'),
  appName: textJson('t.app_display_name'),
  carrier: flagJson('t.is_carrier'),
  chosen: flagJson('t.is_chosen'),
  description: textJson('t.description'),
  excluded: flagJson('t.is_excluded'),
  frameworks: textJson('t.compliance_framework_value_ids'),
  givenByExcluded: textJson('t.excluded_profile_ids'),
  givenByIncluded: textJson('t.included_profile_ids'),
  id: textJson('t.entitlement_id'),
  name: textJson('t.display_name'),
  policy: textJson('t.policy_id'),
  resource: textJson('t.resource_display_name'),
  resourceId: textJson('t.resource_id'),
  resourceType: textJson('t.resource_type_display_name'),
  resourceTypeId: textJson('t.resource_type_id'),
  risk: textJson('t.risk_level_value_id'),
});

const entitlementColumns = fixed(`tenant_id, review_id, app_id, entitlement_id, is_app_access, app_display_name, description,
  compliance_framework_value_ids, display_name, resource_display_name, resource_id, resource_type_display_name, resource_type_id,
  risk_level_value_id`);

/** Entitlements of the apps of a snapshot, chosen or not. */
const entitlements = sql`(
  SELECT ${entitlementColumns}, policy_id, is_carrier, is_excluded, true AS is_chosen, included_profile_ids, excluded_profile_ids FROM review_entitlements
  UNION ALL
  SELECT ${entitlementColumns}, '', false, false, false, '{}', '{}' FROM review_unchosen)`;

const grantLine = (more: Readonly<Record<string, Sql>>): Sql =>
  lineJson({ account: textJson('t.account_id'), entitlement: textJson('t.entitlement_id'), ...more });

/** The tables of a snapshot whose rows its event records; those of policies are written by the process. */
export const snapshotTables: readonly SnapshotTable[] = [
  of(
    'review_accounts',
    sql`review_accounts`,
    't.account_id',
    't.app_id, t.account_id',
    lineJson({
      accessProfiles: textJson('t.access_profile_ids'),
      app: textJson('t.app_id'),
      commitment: bytesJson('t.commitment'),
      external: flagJson('t.is_external'),
      id: textJson('t.account_id'),
      kind: textJson('t.principal_kind'),
      owner: textJson('t.user_id'),
      status: textJson('t.account_status'),
      type: textJson('t.account_type'),
      verdict: textJson('t.verdict'),
    }),
  ),
  of(
    'review_people',
    sql`review_people`,
    't.user_id',
    't.user_id',
    lineJson({ commitment: bytesJson('t.commitment'), id: textJson('t.user_id') }),
  ),
  of('review_entitlements', entitlements, 't.entitlement_id', 't.app_id, t.entitlement_id', entitlementLine),
  of(
    'review_conflict_grants',
    sql`review_conflict_grants`,
    `t.account_id || '/' || t.entitlement_id`,
    't.app_id, t.account_id, t.entitlement_id',
    grantLine({ app: textJson('t.app_id'), monitors: textJson('t.monitor_ids') }),
  ),
  of('review_reviewed', sql`review_reviewed`, `t.account_id || '/' || t.entitlement_id`, 't.account_id, t.entitlement_id', grantLine({})),
  of(
    'review_verdicts',
    sql`review_verdicts`,
    `t.app_id || '/' || t.principal_kind || '/' || t.verdict`,
    't.app_id, t.principal_kind, t.verdict',
    lineJson({
      app: textJson('t.app_id'),
      grants: wholeJson('t.grants'),
      kind: textJson('t.principal_kind'),
      verdict: textJson('t.verdict'),
    }),
  ),
  of(
    'review_sources',
    sql`review_sources`,
    `t.app_id || '/' || t.source_no`,
    't.app_id, t.source_no',
    lineJson({
      acceptedRows: wholeJson('t.accepted'),
      added: wholeJson('t.added'),
      app: textJson('t.app_id'),
      connector: textJson('t.source_id'),
      duplicateRows: wholeJson('t.duplicates'),
      elsewhere: wholeJson('t.elsewhere'),
      ended: wholeJson('t.ended'),
      fileFormat: textJson('t.file_format'),
      fileSha256: textJson('t.file_sha256'),
      held: wholeJson('t.held'),
      heldThen: wholeJson('t.held_then'),
      kind: textJson('t.kind'),
      name: textJson('t.display_name'),
      number: wholeJson('t.source_no'),
      rejectedRows: wholeJson('t.rejected'),
      revision: wholeJson('t.sync_revision'),
      rows: wholeJson('t.rows'),
      sync: textJson('t.sync_id'),
      syncedAt: timeJson('t.synced_at'),
    }),
  ),
  of(
    'review_source_changes',
    sql`review_source_changes`,
    `t.app_id || '/' || t.source_no || '/' || t.revision`,
    't.app_id, t.source_no, t.revision',
    lineJson({
      added: wholeJson('t.added'),
      app: textJson('t.app_id'),
      cause: textJson('t.cause'),
      ended: wholeJson('t.ended'),
      number: wholeJson('t.source_no'),
      revision: wholeJson('t.revision'),
    }),
  ),
];
