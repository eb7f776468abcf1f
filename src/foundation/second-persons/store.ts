/** SQL of the table `second_person_requests`. */
import type { Context } from '../../context.ts';
import { allSql, fixed, sql } from '../../lib/sql.ts';
import { holdsTextSql } from '../../lib/words.ts';
import type { RequestKind, RequestRow, RequestState } from './slots.ts';

const columns =
  fixed(`q.id, q.kind, q.subject_id AS "subjectId", q.review_id AS "reviewId", q.change, q.reason, q.state, q.asked_by_id AS "askedById",
  q.behind_ids AS "behindIds", q.asked_at AS "askedAt", q.expires_at AS "expiresAt", q.answered_by_id AS "answeredById",
  q.answered_at AS "answeredAt"`);

/** Adds a request and returns whether it was new: false where one of its kind about the subject is open. */
export async function insertRequest(context: Context, row: RequestRow): Promise<boolean> {
  const added = await context.db.run(
    sql`INSERT INTO second_person_requests (tenant_id, id, kind, subject_id, review_id, change, reason, asked_by_id, behind_ids, asked_at, expires_at)
      VALUES (${context.tenantId}, ${row.id}, ${row.kind}, ${row.subjectId}, ${row.reviewId}, ${JSON.stringify(row.change)}::jsonb, ${row.reason},
        ${row.askedById}, ${row.behindIds}, ${row.askedAt}, ${row.expiresAt})
      ON CONFLICT (tenant_id, kind, subject_id) WHERE state = 'OPEN' DO NOTHING`,
  );
  return added > 0;
}

/** Ends the requests of a kind about a subject that nobody confirmed in time. */
export async function updateExpired(context: Context, kind: RequestKind, subjectId: string): Promise<void> {
  await context.db.run(
    sql`UPDATE second_person_requests SET state = 'EXPIRED' WHERE tenant_id = ${context.tenantId} AND kind = ${kind} AND subject_id = ${subjectId}
      AND state = 'OPEN' AND expires_at <= ${context.now}`,
  );
}

/** The request with this id; where `locks`, held until the transaction ends. */
export function findRequest(context: Context, id: string, locks = false): Promise<RequestRow | undefined> {
  return context.db.maybe<RequestRow>(
    sql`SELECT ${columns} FROM second_person_requests q WHERE q.tenant_id = ${context.tenantId} AND q.id = ${id} ${fixed(locks ? 'FOR UPDATE' : '')}`,
  );
}

/** The last request of a kind about a subject that is open or confirmed. */
export function findRequestAbout(context: Context, kind: RequestKind, subjectId: string): Promise<RequestRow | undefined> {
  return context.db.maybe<RequestRow>(
    sql`SELECT ${columns} FROM second_person_requests q WHERE q.tenant_id = ${context.tenantId} AND q.kind = ${kind}
      AND q.subject_id = ${subjectId} AND q.state IN ('OPEN', 'CONFIRMED') ORDER BY q.id DESC LIMIT 1`,
  );
}

/** A page of requests, the newest first; `before` is the last id of the page before, '' at the start. */
export function listRequests(context: Context, state: RequestState | undefined, before: string, limit: number): Promise<RequestRow[]> {
  const isOver = sql`(q.state = 'EXPIRED' OR (q.state = 'OPEN' AND q.expires_at <= ${context.now}))`;
  const where = [
    sql`q.tenant_id = ${context.tenantId}`,
    ...(before === '' ? [] : [sql`q.id < ${before}`]),
    ...(state === undefined ? [] : [state === 'EXPIRED' ? isOver : sql`q.state = ${state} AND NOT ${isOver}`]),
  ];
  return context.db.rows<RequestRow>(
    sql`SELECT ${columns} FROM second_person_requests q WHERE ${allSql(where)} ORDER BY q.id DESC LIMIT ${limit}`,
  );
}

/** Ends a request with an answer. */
export async function updateAnswered(context: Context, id: string, state: 'CONFIRMED' | 'REJECTED', answeredById: string): Promise<void> {
  await context.db.run(
    sql`UPDATE second_person_requests SET state = ${state}, answered_by_id = ${answeredById}, answered_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Empties the reasons of requests that hold one of the texts. */
export async function eraseReasons(context: Context, texts: readonly string[]): Promise<void> {
  await context.db.run(
    sql`UPDATE second_person_requests q SET reason = '' WHERE q.tenant_id = ${context.tenantId} AND ${holdsTextSql('q.reason', texts)}`,
  );
}
