/** SQL that reads the evidence this module keeps, for checks of the event log: actions and submissions with the events that recorded them. */
import type { Context } from '../../context.ts';
import { empty, type Sql, sql } from '../../lib/sql.ts';
import type { EvidenceScope, EvidenceSource } from '../../foundation/log-proofs/index.ts';
import { listSuperseded } from '../snapshots/index.ts';
import { getItemLinesSql, itemEvent, listItemDigests } from './batches/index.ts';
import { actionColumns, listActionRows } from './store-actions.ts';
import { type ActionLine, isCommentKept, lineOfAction, lineOfFormerAction, lineOfSubmission, type SubmissionLine } from './task/index.ts';

/** An action as a bundle of evidence has it, and what its comment is committed to with. */
export interface ReviewAction {
  readonly item: string;
  readonly action: string;
  readonly line: string;
  readonly comment: string;
  /** In hex; '' where there is no comment, or one of the release 0.2, which committed to none. */
  readonly salt: string;
  /** True if it has a commitment to a comment that was erased. */
  readonly isErased: boolean;
}

/** Items whose actions are looked up together. */
const itemsAtOnce = 2_000;

/**
 * Lists the actions of a review behind one, in the order of items and actions; those with a comment, or one that was erased, alone where `withComment`. Goes item by item, each a
 * look-up by key, since no index has the actions of a review in this order.
 */
export async function listReviewActions(
  context: Context,
  reviewId: string,
  after: readonly string[],
  limit: number,
  withComment: boolean,
): Promise<ReviewAction[]> {
  const { db, tenantId } = context;
  const [first = '', action = ''] = after;
  const found: (ActionLine & { eventId: string | null })[] = [];
  for (let item: string | null = first; item !== null && found.length < limit; ) {
    const items: Sql = sql`SELECT t.id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.id >= ${item}
      ORDER BY t.id LIMIT ${itemsAtOnce}`;
    const rows = await db.rows<ActionLine & { eventId: string | null }>(
      sql`SELECT ${actionColumns} FROM (${items}) i CROSS JOIN LATERAL (
          SELECT * FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = i.id AND (x.task_id, x.id) > (${first}, ${action})
            ${withComment ? sql`AND (x.comment <> '' OR (x.emptied_at IS NOT NULL AND x.data ? 'commentHash'))` : empty} OFFSET 0) a
        ORDER BY a.task_id, a.id LIMIT ${limit - found.length}`,
    );
    found.push(...rows);
    const end: { last: string | null; count: number } = await db.one(sql`SELECT max(i.id) AS last, count(*) AS count FROM (${items}) i`);
    // The next items begin behind the last of these.
    item = end.count < itemsAtOnce || end.last === null ? null : `${end.last}0`;
  }
  return found.map((row) => ({
    item: row.taskId,
    action: row.id,
    line: lineOfAction(row, row.eventId ?? ''),
    comment: row.comment,
    salt: row.data.commentSalt ?? '',
    isErased: row.comment === '' && row.data.commentHash !== undefined,
  }));
}

async function listActions(context: Context, eventIds: readonly string[]) {
  const rows = await listActionRows(context, eventIds);
  return rows.map((row) => ({
    eventId: row.eventId,
    id: row.id,
    taskId: row.taskId,
    reviewId: row.reviewId,
    ...(isCommentKept(row) ? {} : { wrong: 'its comment, or the commitment to it, was changed' }),
    line: lineOfAction(row, row.eventId),
    formerly: lineOfFormerAction(row),
  }));
}

async function listSubmissions({ db, tenantId }: Context, eventIds: readonly string[]) {
  const rows = await db.rows<SubmissionLine & { eventId: string }>(
    sql`SELECT s.event_id AS "eventId", s.review_id AS "reviewId", s.id, s.user_id AS "userId", s.issuer_id AS "issuerId", s.submitted, s.certified,
        s.denied, s.refused, s.created_at AS "createdAt"
      FROM submissions s WHERE s.tenant_id = ${tenantId} AND s.event_id = ANY (${eventIds}) ORDER BY s.id`,
  );
  return rows.map((row) => ({ eventId: row.eventId, id: row.id, line: lineOfSubmission(row) }));
}

/**
 * Tasks whose outcome, or by whom, when and until when, is not what the last action says that ended them; and those that were decided or stand open without it. Reads every task that
 * is asked about, and one action of each by its key.
 */
async function listWrongOutcomes({ db, tenantId }: Context, limit: number, only?: EvidenceScope): Promise<string[]> {
  const asked = only === undefined ? empty : 'taskId' in only ? sql`AND t.id = ${only.taskId}` : sql`AND t.review_id = ${only.reviewId}`;
  const rows = await db.rows<{ id: string }>(
    sql`SELECT t.id FROM tasks t LEFT JOIN LATERAL (
        SELECT a.kind, a.data ->> 'outcome' AS outcome, a.actor_id, nullif(a.issuer_id, '') AS issuer_id, a.created_at,
          (a.data ->> 'certifyUntil')::timestamptz AS certify_until
        FROM task_actions a
        WHERE a.tenant_id = ${tenantId} AND a.task_id = t.id AND (jsonb_exists(a.data, 'outcome') OR a.kind IN ('RESTARTED', 'HARD_RESET', 'AMENDED'))
        ORDER BY a.id DESC LIMIT 1) l ON TRUE
      WHERE t.tenant_id = ${tenantId} ${asked} AND (
        (t.state = 'CLOSED' AND t.end_reason = 'DECIDED' AND (l.kind IS NULL OR l.kind IN ('RESTARTED', 'HARD_RESET') OR l.outcome IS NOT NULL AND l.outcome <> t.outcome))
        OR (t.state = 'OPEN' AND l.outcome <> '' AND l.kind NOT IN ('RESTARTED', 'HARD_RESET'))
        OR (t.state = 'CLOSED' AND l.outcome <> '' AND l.kind IN ('APPROVED', 'DENIED', 'AMENDED') AND (t.end_reason, t.decided_by_id,
            t.decided_issuer_id, t.ended_at, t.certify_until) IS DISTINCT FROM ('DECIDED', l.actor_id, l.issuer_id, l.created_at, l.certify_until)))
      ORDER BY t.id LIMIT ${limit}`,
  );
  return rows.map(({ id }) => `Task ${id}: its outcome is not that of its actions.`);
}

/** Tables of this module whose rows events vouch for. */
export const tableEvidence: readonly EvidenceSource[] = [
  {
    table: 'tasks',
    list: ({ db, tenantId }, eventIds) =>
      db.rows(sql`SELECT o.event_id AS "eventId", o.id, o.line FROM (${getItemLinesSql(tenantId, eventIds)}) o`),
    listDigests: listItemDigests,
    listSuperseded,
    listStray: async () => [],
    // Of reviews that have a head: those from before were made by events with ids of their own.
    listEventIds: ({ db, tenantId }, after, limit) =>
      db.rows(
        sql`SELECT DISTINCT ${itemEvent} AS id FROM snapshot_heads h JOIN tasks t ON t.tenant_id = ${tenantId} AND t.review_id = h.review_id
          WHERE h.tenant_id = ${tenantId} AND ${itemEvent} > ${after} ORDER BY 1 LIMIT ${limit}`,
      ),
  },
  {
    table: 'task_actions',
    list: listActions,
    listStray: ({ db, tenantId }, since, limit) =>
      db.rows(
        sql`SELECT a.id FROM task_actions a WHERE a.tenant_id = ${tenantId} AND (a.event_id IS NULL OR a.event_id = '' AND a.created_at > ${since})
          ORDER BY a.id LIMIT ${limit}`,
      ),
    listEventIds: ({ db, tenantId }, after, limit) =>
      db.rows(
        sql`SELECT DISTINCT a.event_id AS id FROM task_actions a WHERE a.tenant_id = ${tenantId} AND a.event_id > ${after} AND a.event_id <> '' ORDER BY 1 LIMIT ${limit}`,
      ),
    listContradictions: listWrongOutcomes,
  },
  {
    table: 'submissions',
    list: listSubmissions,
    listStray: ({ db, tenantId }, since, limit) =>
      db.rows(
        sql`SELECT s.id FROM submissions s WHERE s.tenant_id = ${tenantId} AND (s.event_id IS NULL OR s.event_id = '' AND s.created_at > ${since})
          ORDER BY s.id LIMIT ${limit}`,
      ),
    listEventIds: ({ db, tenantId }, after, limit) =>
      db.rows(
        sql`SELECT DISTINCT s.event_id AS id FROM submissions s WHERE s.tenant_id = ${tenantId} AND s.event_id > ${after} ORDER BY 1 LIMIT ${limit}`,
      ),
  },
];
