/** SQL that draws items of a review by a seed. */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import { rankSql } from '../second-reviews/index.ts';

/** Items that a sample is drawn from. */
export type Population = 'ALL' | 'CERTIFIED' | 'DENIED' | 'NOT_DECIDED';

const outcomes: Readonly<Record<Population, Sql>> = {
  ALL: fixed('TRUE'),
  CERTIFIED: fixed(`t.outcome = 'CERTIFIED'`),
  DENIED: fixed(`t.outcome = 'DECERTIFIED'`),
  NOT_DECIDED: fixed(`t.outcome NOT IN ('CERTIFIED', 'DECERTIFIED')`),
};

/** Returns the tasks `t` of a review that a sample is drawn from, as a FROM clause with its condition. */
export function getPopulationSql({ tenantId }: Context, reviewId: string, population: Population): Sql {
  return sql`tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND ${outcomes[population]}`;
}

/** An item that was drawn. */
export interface SampledRow {
  readonly place: number;
  readonly taskId: string;
  readonly numericId: number;
  /** In hexadecimal digits. */
  readonly rank: string;
  readonly appDisplayName: string;
  readonly account: string;
  readonly person: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly outcome: string;
}

/** Draws the first `size` items of a population, sorted by their rank. */
export function listSampled(context: Context, reviewId: string, population: Population, seed: string, size: number): Promise<SampledRow[]> {
  const { db, tenantId } = context;
  return db.rows<SampledRow>(
    sql`SELECT row_number() OVER (ORDER BY d.rank, d.id) AS place, d.id AS "taskId", d.numeric_id AS "numericId", encode(d.rank, 'hex') AS rank,
        d.outcome, coalesce(e.app_display_name, '') AS "appDisplayName", coalesce(a.external_id, '') AS account,
        coalesce(nullif(a.user_display_name, ''), a.user_email, '') AS person, coalesce(e.resource_display_name, '') AS resource,
        coalesce(e.display_name, '') AS entitlement
      FROM (SELECT t.*, ${rankSql(seed)} AS rank FROM ${getPopulationSql(context, reviewId, population)} ORDER BY rank, t.id LIMIT ${size}) d
      LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = d.app_id AND a.account_id = d.account_id
      LEFT JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = d.app_id AND e.entitlement_id = d.entitlement_id
      ORDER BY d.rank, d.id`,
  );
}
