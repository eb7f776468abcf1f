/**
 * SQL that ends what a source delivered, when the source goes: its grants, and its accounts that hold nothing of anybody else's.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getAccountContent } from '../catalog/index.ts';

/** What a source delivers at this moment. */
export interface Delivered {
  readonly grants: number;
  readonly accounts: number;
}

/** Counts the open grants (app access aside) and the live accounts of a source; grows with what the app has. */
export function countDelivered(context: Context, appId: string, sourceNo: number): Promise<Delivered> {
  return context.db.one<Delivered>(
    `SELECT
       (SELECT count(*) FROM grants g WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.source_no = $3 AND g.removed_revision IS NULL
          AND NOT g.is_derived) AS grants,
       (SELECT count(*) FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.source_no = $3 AND a.status <> 'DELETED') AS accounts`,
    [context.tenantId, appId, sourceNo],
  );
}

/**
 * The accounts of an app that somebody else than this source reports, with that one's number: other sources and hands that give them
 * something, and identity providers that push their users. An account may come several times.
 */
export function getOtherTellers(tenantId: string, appId: string, sourceNo: number): Sql {
  return sql`SELECT g.account_id, g.source_no FROM grants g
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.removed_revision IS NULL AND NOT g.is_derived AND g.source_no <> ${sourceNo}
    UNION ALL
    SELECT r.account_id, c.source_no FROM sources c
    JOIN scim_resources r ON r.tenant_id = ${tenantId} AND r.source_id = c.id AND r.kind = 'USER' AND r.deleted_at IS NULL
      WHERE c.tenant_id = ${tenantId} AND c.app_id = ${appId} AND c.kind = 'SCIM' AND c.deleted_at IS NULL AND c.source_no <> ${sourceNo}
        AND r.account_id IS NOT NULL`;
}

/**
 * Ends the grants and accounts of a source at this revision. An account that somebody else reports (getOtherTellers) stays and is that
 * one's from then on, as when a file does not name it any more. App access goes with its account, whoever brought that first. Brings
 * the counts of the app's entitlements and accounts up to it.
 */
export async function updateDeliveredAsEnded(context: Context, appId: string, sourceNo: number, revision: number): Promise<void> {
  const ends = [context.tenantId, appId, sourceNo, revision, context.now];
  const { tenantId } = context;
  await context.db.run(
    sql`UPDATE accounts a SET source_no = o.source_no
     FROM (
       SELECT n.account_id, min(n.source_no) AS source_no FROM (${getOtherTellers(tenantId, appId, sourceNo)}) AS n GROUP BY n.account_id) AS o
     WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.source_no = ${sourceNo} AND a.status <> 'DELETED' AND a.id = o.account_id`,
  );
  await context.db.run(
    `UPDATE grants g SET removed_revision = $4, ended_at = $5, updated_at = $5
     FROM accounts a
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.source_no = $3 AND a.status <> 'DELETED'
       AND g.tenant_id = $1 AND g.app_id = $2 AND g.account_id = a.id AND g.removed_revision IS NULL AND g.is_derived`,
    ends,
  );
  await context.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, $4, ${getAccountContent('a')}
     FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.source_no = $3 AND a.status <> 'DELETED'`,
    [context.tenantId, appId, sourceNo, revision],
  );
  await context.db.run(
    `UPDATE accounts a SET status = 'DELETED', deleted_at = $4, updated_at = $4
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.source_no = $3 AND a.status <> 'DELETED'`,
    [context.tenantId, appId, sourceNo, context.now],
  );
  await context.db.run(
    `UPDATE grants g SET removed_revision = $4, ended_at = $5, updated_at = $5
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.source_no = $3 AND g.removed_revision IS NULL AND NOT g.is_derived`,
    ends,
  );
  await context.db.run(
    `UPDATE entitlements e SET grant_count = n.count
     FROM (
       SELECT t.id, count(g.account_id) AS count FROM entitlements t
       LEFT JOIN grants g ON g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = t.id AND g.removed_revision IS NULL
       WHERE t.tenant_id = $1 AND t.app_id = $2 GROUP BY t.id) AS n
     WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = n.id AND e.grant_count <> n.count`,
    [context.tenantId, appId],
  );
  await context.db.run(
    `UPDATE apps SET user_count = (SELECT count(*) FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.status <> 'DELETED')
     WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, appId],
  );
}
