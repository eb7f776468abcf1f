/**
 * SQL of reviews as a list shows them: filtered and sorted, each with how far it is. There are few reviews; what is counted of each is kept as it
 * changes (task_progress), and read for the rows of a page alone.
 */
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { getLastRemovalsSql, provenRemovalStates } from '../../revocations/index.ts';
import { containsTextOrIs } from '../../../foundation/search/index.ts';
import { getAskedSql, getOutcomesSql, type TaskCounts } from '../../tasks/index.ts';
import type { ReviewSettings, ReviewState, Visible } from '../record/index.ts';

/** Reviews to find; a member that is undefined filters nothing. */
export interface ReviewFilter {
  readonly states?: readonly string[] | undefined;
  readonly ownerIds?: readonly string[] | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly templateIds?: readonly string[] | undefined;
  readonly query?: string | undefined;
}

/** Order of a list of reviews. */
export type ReviewOrder = 'NEWEST' | 'DUE' | 'NAME' | 'CLOSED';

/** A review as a row of a list. */
export interface ReviewLineRow extends TaskCounts {
  readonly id: string;
  readonly document: ReviewSettings;
  readonly state: ReviewState;
  readonly dueAt: Date | null;
  readonly startedAt: Date | null;
  readonly closedAt: Date | null;
  readonly updatedAt: Date;
  readonly owners: readonly { readonly userId: string; readonly displayName: string }[];
  readonly waitingPeople: number;
  readonly askedPeople: number;
  readonly unassigned: number;
  readonly removals: number;
  readonly removalsProven: number;
  readonly isHeld: boolean;
  /** Place of the row in its order. */
  readonly place: string;
}

function conditionsFor({ tenantId }: Context): Conditions<ReviewFilter> {
  return {
    states: (states) => sql`r.state = ANY (${states})`,
    ownerIds: (ids) =>
      sql`EXISTS (SELECT FROM review_owners o WHERE o.tenant_id = ${tenantId} AND o.review_id = r.id AND o.user_id = ANY (${ids}))`,
    appIds: (ids) => sql`(r.document #>> '{singleApp,appId}' = ANY (${ids}) OR r.document #> '{multiApp,appEntitlements}' ?| ${ids}
      OR EXISTS (SELECT FROM unnest(${ids}::text[]) AS w (id) CROSS JOIN LATERAL (
        SELECT FROM snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = r.id AND e.app_id = w.id LIMIT 1) e))`,
    templateIds: (ids) => sql`(r.template_id <> '' AND r.template_id = ANY (${ids}))`,
    query: containsTextOrIs(`coalesce(r.document ->> 'displayName', '') || ' ' || coalesce(r.document ->> 'description', '')`, 'r.id'),
  };
}

/** The reviews `r` that are not deleted, of which somebody may know. */
function getSeen({ tenantId }: Context, visible: Visible): Sql {
  const seen = sql`r.tenant_id = ${tenantId} AND r.state <> 'DELETED'`;
  return visible === 'all'
    ? seen
    : sql`${seen} AND (EXISTS (SELECT FROM review_owners o WHERE o.tenant_id = ${tenantId} AND o.review_id = r.id AND o.user_id = ${visible.userId})
        OR ${visible.created}::boolean AND r.created_by_id = ${visible.userId})`;
}

const due = sql`date_trunc('milliseconds', nullif(r.document ->> 'completionDate', '')::timestamptz)`;

/** Values compared, as text so that one token fits all, and the direction. */
const orders: Readonly<Record<ReviewOrder, { readonly place: Sql; readonly descending: boolean }>> = {
  NEWEST: { place: sql`''::text`, descending: true },
  DUE: { place: sql`coalesce(to_char(${due} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), '~')`, descending: false },
  NAME: { place: sql`search_fold(coalesce(r.document ->> 'displayName', ''))`, descending: false },
  CLOSED: {
    place: sql`coalesce(to_char(r.closed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '')`,
    descending: true,
  },
};

/** A page of reviews in an order, behind the one with this place and id. */
export function listReviewLines(
  context: Context,
  visible: Visible,
  filter: ReviewFilter,
  order: ReviewOrder,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ReviewLineRow[]> {
  const { db, tenantId } = context;
  const { place, descending } = orders[order];
  const placed = sql`(${place}) COLLATE "C"`;
  const direction = fixed(descending ? 'DESC' : 'ASC');
  const behind = after === undefined ? sql`TRUE` : sql`(${placed}, r.id) ${fixed(descending ? '<' : '>')} (${after[0]}, ${after[1]})`;
  return db.rows<ReviewLineRow>(
    sql`SELECT r.id, r.document, r.state, r.due_at AS "dueAt", r.started_at AS "startedAt", r.closed_at AS "closedAt", r.updated_at AS "updatedAt", r.place,
      coalesce((SELECT json_agg(json_build_object('userId', o.user_id, 'displayName', coalesce(nullif(u.display_name, ''), u.email))
          ORDER BY o.created_at, o.user_id)
        FROM review_owners o CROSS JOIN LATERAL person_words(${tenantId}, o.user_id, r.closed_at) u
        WHERE o.tenant_id = ${tenantId} AND o.review_id = r.id), '[]') AS owners,
      c.*,
      w."waitingPeople", w."askedPeople", w.unassigned,
      v.removals, v."removalsProven",
      EXISTS (SELECT FROM holds_standing h WHERE h.tenant_id = ${tenantId} AND h.review_id IN (r.id, '')) AS "isHeld"
    FROM (SELECT r.*, ${due} AS due_at, ${placed} AS place FROM reviews r
      WHERE ${getSeen(context, visible)} AND ${allSql([sql`TRUE`, ...listConditions(filter, conditionsFor(context))])} AND ${behind}
      ORDER BY place ${direction}, r.id ${direction} LIMIT ${limit}) r
    CROSS JOIN LATERAL (${getOutcomesSql(context, fixed('r.id'))}) c
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT m.user_id) FILTER (WHERE s.open > 0) AS "waitingPeople", count(DISTINCT m.user_id) AS "askedPeople",
        coalesce(sum(s.open) FILTER (WHERE s.key = ''), 0)::bigint AS unassigned
      FROM (${getAskedSql(context, fixed('r.id'))}) s
      LEFT JOIN assignees_public m ON m.tenant_id = ${tenantId} AND m.assignment_id = s.key) w
    CROSS JOIN LATERAL (
      SELECT count(*) AS removals, count(*) FILTER (WHERE q.state = ANY (${[...provenRemovalStates]})) AS "removalsProven"
      FROM (${getLastRemovalsSql(tenantId, fixed('r.id'))}) q) v
    ORDER BY r.place ${direction}, r.id ${direction}`,
  );
}

/** Counts the reviews in each state that a filter finds; its states are left out. */
export function countReviewStates(
  context: Context,
  visible: Visible,
  filter: ReviewFilter,
): Promise<{ readonly state: ReviewState; readonly count: number }[]> {
  const where = [getSeen(context, visible), ...listConditions({ ...filter, states: undefined }, conditionsFor(context))];
  return context.db.rows(sql`SELECT r.state, count(*) AS count FROM reviews r WHERE ${allSql(where)} GROUP BY r.state ORDER BY r.state`);
}
