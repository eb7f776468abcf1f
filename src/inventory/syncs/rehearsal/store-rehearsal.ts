/**
 * SQL that lists what an import has done in the transaction it is rehearsed in: the grants of its revision, and the people who differ from how they
 * stood before. In the order of names, since what is new has other ids each time.
 */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { SyncRow } from '../record/index.ts';

/** A text of a person that becomes another. */
export interface FieldChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** One difference; of grants the account and the entitlement, of people the person. */
export interface DifferenceRow {
  readonly change: 'ADDED' | 'REMOVED' | 'CHANGED';
  readonly account: string;
  /** Owner of the account, or the person's name. */
  readonly person: string;
  readonly email: string;
  readonly resourceType: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly fields: readonly FieldChange[];
  readonly place: string;
}

/** Lists what the import did to the grants of its app, app access left out: a page by account and entitlement, behind a place. */
export async function listGrantDifferences(
  { db, tenantId }: Context,
  { appId, revision, counts, added, changed, removed }: SyncRow,
  after: readonly string[] | undefined,
  limit: number,
): Promise<DifferenceRow[]> {
  const accounts = counts.accounts;
  if (
    revision === null ||
    added + changed + removed + (accounts === undefined ? 0 : accounts.added + accounts.changed + accounts.removed) === 0
  ) {
    return [];
  }
  const behind = after === undefined ? sql`TRUE` : sql`(n.place, n.change) > (${after[0]}, ${after[1]})`;
  return db.rows<DifferenceRow>(
    sql`WITH done AS (
      SELECT 'ADDED' AS change, g.entitlement_id, g.account_id FROM grants_public g
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.added_revision = ${revision} AND NOT g.is_derived
      UNION ALL
      SELECT 'REMOVED', g.entitlement_id, g.account_id FROM grants_public g
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.removed_revision = ${revision} AND NOT g.is_derived
      UNION
      SELECT 'CHANGED', x.entitlement_id, x.account_id FROM grant_changes_public x
      JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = x.app_id AND g.entitlement_id = x.entitlement_id AND g.account_id = x.account_id
        AND g.added_revision < ${revision} AND g.removed_revision IS NULL AND NOT g.is_derived
      WHERE x.tenant_id = ${tenantId} AND x.app_id = ${appId} AND x.revision = ${revision}
      UNION
      SELECT 'CHANGED', g.entitlement_id, g.account_id FROM account_changes_public x
      JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = x.app_id AND g.account_id = x.account_id AND g.added_revision < ${revision}
        AND g.removed_revision IS NULL AND NOT g.is_derived
      WHERE x.tenant_id = ${tenantId} AND x.app_id = ${appId} AND x.revision = ${revision})
    SELECT n.* FROM (
      SELECT d.change, a.external_id AS account, coalesce(nullif(u.display_name, ''), u.email, '') AS person, coalesce(u.email, '') AS email,
        coalesce(t.external_id, '') AS "resourceType", coalesce(r.external_id, '') AS resource, e.external_id AS entitlement, '[]'::json AS fields,
        (a.external_id || E'\n' || coalesce(t.external_id, '') || E'\n' || coalesce(r.external_id, '') || E'\n' || e.external_id) COLLATE "C" AS place
      FROM done d
      JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = d.account_id
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = a.user_id
      JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = d.entitlement_id
      LEFT JOIN resources_public r ON r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.id = e.resource_id
      LEFT JOIN resource_types_public t ON t.tenant_id = ${tenantId} AND t.app_id = ${appId} AND t.id = e.resource_type_id) n
    WHERE ${behind} ORDER BY n.place, n.change LIMIT ${limit}`,
  );
}

/** The texts of a person that are compared, by the names that the API has for them. */
const texts = sql`jsonb_build_object('displayName', u.display_name, 'email', u.email, 'status', u.status, 'employmentStatus', u.employment_status,
  'employmentType', u.employment_type, 'department', u.department, 'jobTitle', u.job_title, 'username', u.username, 'employeeId', u.employee_id,
  'manager', coalesce((SELECT coalesce(nullif(m.email, ''), m.display_name) FROM users_public m WHERE m.tenant_id = u.tenant_id AND m.id = u.manager_id), ''))`;

/** Keeps how the people stand whom the file may change: `import_before`. Behind `stagePersons`. */
export async function stagePeopleBefore({ db, tenantId }: Context): Promise<void> {
  await db.run(
    sql`CREATE TEMP TABLE import_before (id text COLLATE "C" PRIMARY KEY, status text NOT NULL, texts jsonb NOT NULL, profile jsonb NOT NULL) ON COMMIT DROP`,
  );
  await db.run(
    sql`INSERT INTO import_before SELECT u.id, u.status, ${texts}, u.profile FROM users_public u
      WHERE u.tenant_id = ${tenantId} AND (u.id IN (SELECT s.user_id FROM import_status s) OR u.id IN (SELECT r.user_id FROM import_records r)
          OR u.id IN (SELECT r.leaver_id FROM import_records r))`,
  );
}

/** The people who stand otherwise than before: a page by name and address, behind a place. Who is no longer enabled counts as removed. */
export function listPeopleDifferences(
  { db, tenantId }: Context,
  after: readonly string[] | undefined,
  limit: number,
): Promise<DifferenceRow[]> {
  const behind = after === undefined ? sql`TRUE` : sql`(n.place, n.change) > (${after[0]}, ${after[1]})`;
  return db.rows<DifferenceRow>(
    sql`SELECT n.* FROM (
      SELECT CASE WHEN b.id IS NULL THEN 'ADDED' WHEN b.status = 'ENABLED' AND u.status <> 'ENABLED' THEN 'REMOVED' ELSE 'CHANGED' END AS change,
        '' AS account, u.display_name AS person, u.email, '' AS "resourceType", '' AS resource, '' AS entitlement,
        CASE WHEN b.id IS NULL THEN '[]'::json ELSE coalesce((
          SELECT json_agg(json_build_object('name', k.key, 'before', coalesce(b.texts ->> k.key, ''), 'after', k.value) ORDER BY k.key)
          FROM jsonb_each_text(${texts}) AS k WHERE b.texts ->> k.key IS DISTINCT FROM k.value), '[]'::json) END AS fields,
        (fold_case(u.display_name) || E'\n' || u.email_key || E'\n' || u.employee_id || E'\n' || u.username) COLLATE "C" AS place
      FROM users_public u LEFT JOIN import_before b ON b.id = u.id
      WHERE u.tenant_id = ${tenantId} AND (b.id IS NOT NULL OR u.id IN (SELECT p.id FROM import_persons p))
        AND (b.id IS NULL OR b.texts <> ${texts} OR b.profile <> u.profile)) n
    WHERE ${behind} ORDER BY n.place, n.change LIMIT ${limit}`,
  );
}
