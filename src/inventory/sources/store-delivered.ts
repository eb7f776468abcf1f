/**
 * SQL that says what a source delivers, and which of its accounts another source reports too.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { sourceSlot } from './slots.ts';

/** Amount that a source delivers at this moment. */
export interface Delivered {
  readonly grants: number;
  readonly accounts: number;
}

/** Counts the open grants (app access aside) and the live accounts of a source; grows with what the app has. */
export function countDelivered(context: Context, appId: string, sourceNo: number): Promise<Delivered> {
  return context.db.one<Delivered>(
    `SELECT
       (SELECT count(*) FROM grants_held g WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.source_no = $3
          AND NOT g.is_derived) AS grants,
       (SELECT count(*) FROM accounts_public a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.source_no = $3 AND a.status <> 'DELETED') AS accounts`,
    [context.tenantId, appId, sourceNo],
  );
}

/**
 * The accounts of an app that somebody else than this source reports, with that one's number: other sources and people who grant them
 * something, and identity providers that push their users. An account may come several times.
 */
export function getOtherTellersSql(tenantId: string, appId: string, sourceNo: number): Sql {
  return sql`SELECT g.account_id, g.source_no FROM grants_held g
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND NOT g.is_derived AND g.source_no <> ${sourceNo}
    UNION ALL
    ${sourceSlot.get().getPushedAccounts(tenantId, appId, sourceNo)}`;
}

/** The accounts of an app that another source reports too, with the first such source: `id` and `source_no`, each account once. */
export function getOtherSourcesSql(context: Context, appId: string, sourceNo: number): Sql {
  const others = getOtherTellersSql(context.tenantId, appId, sourceNo);
  return sql`SELECT n.account_id AS id, min(n.source_no) AS source_no FROM (${others}) AS n GROUP BY n.account_id`;
}
