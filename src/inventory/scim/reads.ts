/** Data other modules may read of what identity providers push: pieces of SQL. `scim_resources_by_user` and the like answer by person and account. */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';

const manager = `r.document #>> '{urn:ietf:params:scim:schemas:extension:enterprise:2.0:User,manager,value}'`;

/**
 * Returns the columns `file` and `pushes` of the person `u`: the source whose file named them last, and the users that providers push for them.
 * `scim_resources_by_user` answers.
 */
export function getSourceColumnsSql(): Sql {
  return fixed(`(SELECT jsonb_build_object('sourceId', c.id, 'columns', c.column_mapping) FROM sources_public c
    WHERE c.tenant_id = u.tenant_id AND c.id = u.source AND c.kind = 'FILE') AS file,
  coalesce((SELECT jsonb_agg(jsonb_build_object('sourceId', c.id, 'appId', c.app_id, 'accountId', r.account_id, 'nameKey', r.name_key,
      'isActive', r.is_active, 'keys', r.keys, 'managerScimId', ${manager},
      'managerId', (SELECT m.user_id FROM scim_resources m WHERE m.tenant_id = r.tenant_id AND m.source_id = r.source_id AND m.id = ${manager}))
      ORDER BY c.id)
    FROM scim_resources r JOIN sources_public c ON c.tenant_id = r.tenant_id AND c.id = r.source_id AND c.deleted_at IS NULL
    WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id AND r.kind = 'USER' AND r.deleted_at IS NULL), '[]') AS pushes`);
}

/**
 * Returns the accounts of an app that other sources than this one push, as `account_id` and `source_no`; an account may come several times.
 * `scim_resources_live` answers for each source.
 */
export function getPushedAccountsSql(tenantId: string, appId: string, sourceNo: number): Sql {
  return sql`SELECT r.account_id, c.source_no FROM sources_public c
    JOIN scim_resources r ON r.tenant_id = ${tenantId} AND r.source_id = c.id AND r.kind = 'USER' AND r.deleted_at IS NULL
    WHERE c.tenant_id = ${tenantId} AND c.app_id = ${appId} AND c.kind = 'SCIM' AND c.deleted_at IS NULL AND c.source_no <> ${sourceNo}
      AND r.account_id IS NOT NULL`;
}

/** Returns whom a source pushes for an account: the id of a person who is there; undefined for nobody. `scim_resources_by_account` answers. */
export function findPushedPerson({ db, tenantId }: Context, sourceId: string, accountId: string): Promise<string | undefined> {
  return db.maybeValue(
    sql`SELECT r.user_id FROM scim_resources r JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = r.user_id AND u.status <> 'DELETED'
      WHERE r.tenant_id = ${tenantId} AND r.account_id = ${accountId} AND r.source_id = ${sourceId} AND r.kind = 'USER' AND r.deleted_at IS NULL LIMIT 1`,
  );
}
