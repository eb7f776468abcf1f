/**
 * SQL on whether the access of a removal is there, as pieces for other statements: now, or as of a revision.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getByNowSql } from '../../../foundation/directory/index.ts';
import type { Context } from '../../../context.ts';

/**
 * The links by which a resource passes on what the removal `r` takes away; none where that is an account's, which is not even looked for. `l`, from the
 * entitlement `f`.
 */
export function getLinksSql({ tenantId }: Pick<Context, 'tenantId'>): Sql {
  return sql`entitlements_public f JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = f.app_id AND l.from_entitlement_id = f.id
      AND l.to_entitlement_id = r.entitlement_id
    WHERE r.principal_kind = 'R' AND f.tenant_id = ${tenantId} AND f.app_id = r.app_id AND f.resource_id = r.account_id`;
}

/**
 * The access of the removal `r` as it stands: `is_present`, `source_no` of what reports it, and of access that is gone the `revision` and the
 * `sync_id` by which it went. Of app access the account counts: one that is disabled gives none. To be joined laterally.
 */
export function getStandingSql(context: Pick<Context, 'tenantId'>): Sql {
  const { tenantId } = context;
  return sql`(SELECT CASE WHEN e.is_app_access THEN coalesce(a.source_no, 0) ELSE coalesce(g.source_no, 0) END AS source_no,
      g.added_revision IS NOT NULL AND g.removed_revision IS NULL AND NOT (coalesce(e.is_app_access, false) AND a.status <> 'ENABLED') AS is_present,
      coalesce(g.removed_revision, 0) AS revision, coalesce(v.sync_id, '') AS sync_id, coalesce(v.cause, '') AS cause
    FROM (SELECT 1) one
    LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.id = r.entitlement_id
    LEFT JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.id = r.account_id
    LEFT JOIN LATERAL (
      SELECT x.added_revision, x.removed_revision, x.source_no FROM grants_public x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = r.app_id AND x.entitlement_id = r.entitlement_id AND x.account_id = r.account_id
      UNION ALL SELECT max(l.added_revision), CASE WHEN bool_or(l.removed_revision IS NULL) THEN NULL ELSE max(l.removed_revision) END, max(f.source_no)
      FROM ${getLinksSql(context)} HAVING count(*) > 0
      ORDER BY added_revision DESC LIMIT 1) g ON true
    LEFT JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = g.removed_revision)`;
}

/** Tests whether the access of the removal `r` was there as of a revision; for app access, whether its account may sign in now. */
export function getWasPresentSql(context: Pick<Context, 'tenantId'>, revision: number): Sql {
  const { tenantId } = context;
  return sql`((EXISTS (SELECT FROM grants_public x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = r.app_id AND x.entitlement_id = r.entitlement_id AND x.account_id = r.account_id
        AND x.added_revision <= ${revision} AND (x.removed_revision IS NULL OR x.removed_revision > ${revision}))
      OR EXISTS (SELECT FROM ${getLinksSql(context)}
        AND l.added_revision <= ${revision} AND (l.removed_revision IS NULL OR l.removed_revision > ${revision})))
    AND NOT EXISTS (SELECT FROM accounts_public a JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = a.app_id AND e.id = r.entitlement_id
        AND e.is_app_access
      WHERE a.tenant_id = ${tenantId} AND a.app_id = r.app_id AND a.id = r.account_id AND a.status <> 'ENABLED'))`;
}

/** The person of the removal `r` by now: whom they were merged into, if they were. */
export function getPersonByNowSql({ tenantId }: Pick<Context, 'tenantId'>): Sql {
  return getByNowSql(tenantId, sql`ARRAY[r.user_id]`);
}

/**
 * Links that look like the one that the removal `r` takes away, as of a revision; NULL for now: of a resource, and to an entitlement, with names that look like
 * its own. `o` is what is passed on, `q` what passes it on. The links of an app are few beside its grants, so they are read without an index by look.
 */
function getLooksLinkedSql({ tenantId }: Pick<Context, 'tenantId'>, revision: Sql): Sql {
  const looks = (table: string, id: string): Sql =>
    sql`(SELECT n.look_alike_key FROM ${fixed(table)} n WHERE n.tenant_id = ${tenantId} AND n.id = ${fixed(id)})`;
  const alike = (table: string, one: string, other: string): Sql => sql`${looks(table, one)} = ${looks(table, other)}`;
  return sql`entitlements_public e
    JOIN resources_public p ON p.tenant_id = ${tenantId} AND p.id = r.account_id
    JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = r.app_id AND l.added_revision <= coalesce(${revision}::bigint, l.added_revision)
      AND (l.removed_revision IS NULL OR l.removed_revision > ${revision}::bigint)
    JOIN entitlements_public o ON o.tenant_id = ${tenantId} AND o.id = l.to_entitlement_id AND o.look_alike_key = e.look_alike_key
      AND ${alike('resources_public', 'o.resource_id', 'e.resource_id')} AND ${alike('resource_types_public', 'o.resource_type_id', 'e.resource_type_id')}
    JOIN entitlements_public f ON f.tenant_id = ${tenantId} AND f.id = l.from_entitlement_id
    JOIN resources_public q ON q.tenant_id = ${tenantId} AND q.id = f.resource_id AND q.look_alike_key = p.look_alike_key
      AND ${alike('resource_types_public', 'q.resource_type_id', 'p.resource_type_id')} AND (q.id <> p.id OR o.id <> e.id)
    WHERE e.tenant_id = ${tenantId} AND e.id = r.entitlement_id`;
}

/** The ways by which the access of the removal `r` is held besides, as a JSON list; of what a resource passes on, those alone that look the same. */
export function getResidualSql(context: Pick<Context, 'tenantId'>): Sql {
  return sql`CASE WHEN r.principal_kind = 'A' THEN residual_access(${context.tenantId}, r.app_id, r.entitlement_id, r.account_id, r.user_id)
    ELSE (SELECT coalesce(json_agg(json_build_object('entitlementId', n.id, 'entitlementDisplayName', n.display_name, 'accountId', '', 'account', n.name,
        'looksTheSame', true) ORDER BY n.id, n.name), '[]')
      FROM (SELECT DISTINCT o.id, o.display_name, q.external_id AS name FROM ${getLooksLinkedSql(context, sql`NULL`)} ORDER BY o.id, name LIMIT 20) n) END`;
}

/**
 * Condition that access which looks like that of the removal `r` is held as of a revision, under a name that is another: the source may have written it
 * otherwise, so that the absence of the removal's proves nothing.
 */
export function getLooksHeldSql(context: Pick<Context, 'tenantId'>, revision: Sql): Sql {
  const grants = sql`look_alike_grants(${context.tenantId}, r.app_id, r.entitlement_id, r.account_id, ${revision}::bigint)`;
  return sql`CASE WHEN r.principal_kind = 'A' THEN EXISTS (SELECT FROM ${grants}) ELSE EXISTS (SELECT FROM ${getLooksLinkedSql(context, revision)}) END`;
}

/** Kind of the sources whose syncs may lack something without saying so: what their connector could not read is in its own log. */
const hidesFailures = 'BATON';
/** A second sync proves an absence so long behind the first. */
const secondSync = '1 hour';

/**
 * Condition that the absence of what the removal `r` takes away proves anything in data of `at`, as of a revision; `s` is its standing. Of most sources it does. A
 * connector may have failed to read a resource, so of its syncs it does where it carried the removal out, where others still hold something on the same resource,
 * where the account is there and disabled, or where a sync before lacked it as well. Of none it does where the access may only be written otherwise.
 */
export function getIsAbsenceProofSql(context: Pick<Context, 'tenantId'>, revision: Sql, at: Sql): Sql {
  const { tenantId } = context;
  return sql`((s.sync_id = '' OR NOT EXISTS (SELECT FROM sources_public z WHERE z.tenant_id = ${tenantId} AND z.app_id = r.app_id
        AND z.source_no = coalesce(r.source_no, s.source_no) AND z.source_no > 0 AND z.kind = ${hidesFailures})
    OR EXISTS (SELECT FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.revocation_id = r.id AND x.state = 'DONE')
    OR EXISTS (SELECT FROM entitlements_public e
        JOIN entitlements_public o ON o.tenant_id = ${tenantId} AND o.app_id = e.app_id AND o.resource_id = e.resource_id
        JOIN grants_public x ON x.tenant_id = ${tenantId} AND x.app_id = o.app_id AND x.entitlement_id = o.id AND x.account_id <> r.account_id
          AND x.source_no > 0 AND x.added_revision <= ${revision} AND (x.removed_revision IS NULL OR x.removed_revision > ${revision})
        WHERE e.tenant_id = ${tenantId} AND e.app_id = r.app_id AND e.id = r.entitlement_id)
    OR EXISTS (SELECT FROM accounts_public a JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = a.app_id AND e.id = r.entitlement_id
        AND e.is_app_access
        WHERE a.tenant_id = ${tenantId} AND a.app_id = r.app_id AND a.id = r.account_id AND a.status = 'DISABLED' AND a.deleted_at IS NULL)
    OR (SELECT y.observed_from FROM syncs_public y WHERE y.tenant_id = ${tenantId} AND y.id = s.sync_id) <= ${at} - ${secondSync}::interval)
    AND NOT ${getLooksHeldSql(context, revision)})`;
}
