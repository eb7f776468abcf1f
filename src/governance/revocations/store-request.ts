/**
 * SQL that requests what was denied: of a review, piece by piece, each piece a fixed number of statements however many removals it has.
 */
import { empty, fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import {
  byActor,
  byNobody,
  daysAnnotation,
  deadlineDays,
  getIsAbsenceProofSql,
  getStandingSql,
  listStatesBefore,
  revocationSlot,
} from './record/index.ts';

/** Result of a piece of bulk work: how many rows, and a SHA-256 over which, for its event. */
export interface Piece {
  readonly count: number;
  readonly digest: string;
  readonly ids: readonly string[];
}

/** End of a statement with a part `changed` (of ids). */
export const told = sql`SELECT count(*) AS count, encode(sha256(coalesce(string_agg(c.id, ',' ORDER BY c.id), '')::bytea), 'hex') AS digest,
  coalesce(array_agg(c.id ORDER BY c.id), '{}') AS ids FROM changed c`;

/** The state of a review as far as its removals depend on it. */
export function findReviewState(context: Context, reviewId: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    sql`SELECT r.state FROM ${fixed(revocationSlot.get().reviews)} r WHERE r.tenant_id = ${context.tenantId} AND r.id = ${reviewId}`,
  );
}

/** Condition that the policy of the denied task of `r` asks for its removal at once. */
function isImmediate({ tenantId }: Context): Sql {
  return sql`EXISTS (SELECT FROM tasks_public t JOIN routes_public p ON p.tenant_id = ${tenantId} AND p.review_id = t.review_id AND p.route_no = t.route_no
    WHERE t.tenant_id = ${tenantId} AND t.id = r.certify_task_id AND p.document -> 'postActions' @> '[{"certifyRemediateImmediately": true}]')`;
}

/** Requests the next held removals of a review; of one that is open, those alone that its policies want at once. */
export function updateRequested(context: Context, reviewId: string, isOpen: boolean, limit: number): Promise<Piece> {
  const which = sql`r.review_id = ${reviewId} ${isOpen ? sql`AND ${isImmediate(context)}` : empty}`;
  return request(context, which, limit);
}

/** Requests one held removal. */
export function updateOneRequested(context: Context, id: string): Promise<Piece> {
  return request(context, sql`r.id = ${id}`, 1);
}

function request(context: Context, which: Sql, limit: number): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH next AS MATERIALIZED (
       SELECT r.* FROM revocations r WHERE r.tenant_id = ${tenantId} AND ${which} AND r.state = 'HELD' ORDER BY r.id LIMIT ${limit} FOR UPDATE),
     marked AS (
       INSERT INTO revocation_marks (tenant_id, app_id, revision, sync_at)
       SELECT ${tenantId}, n.app_id, coalesce((SELECT max(v.revision) FROM revisions_public v WHERE v.tenant_id = ${tenantId}), 0), ${now}
       FROM (SELECT DISTINCT n.app_id FROM next n) n ORDER BY n.app_id ON CONFLICT DO NOTHING),
     changed AS (
       UPDATE revocations u SET state = 'REQUESTED', state_at = ${now}, ${byNobody}, sync_id = '', revision = NULL, note = '', requested_at = ${now},
         source_no = s.source_no, updated_at = ${now}
       FROM next r CROSS JOIN LATERAL ${getStandingSql(context)} s
       WHERE u.tenant_id = ${tenantId} AND u.id = r.id RETURNING u.id)
     ${told}`,
  );
}

/** Requests those of these removals anew whose access reappeared before anybody was asked to remove it: it was gone when it was requested. */
export function updateRequestedAnew(context: Context, ids: readonly string[]): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations r SET state = 'REQUESTED', state_at = ${now}, ${byNobody}, sync_id = '', revision = NULL, note = '', requested_at = ${now},
         source_no = s.source_no, updated_at = ${now}
       FROM revocations o CROSS JOIN LATERAL (SELECT s.source_no FROM (SELECT o.*) r CROSS JOIN LATERAL ${getStandingSql(context)} s) s
       WHERE o.tenant_id = ${tenantId} AND o.id = ANY (${ids}) AND r.tenant_id = ${tenantId} AND r.id = o.id
         AND r.state = 'REAPPEARED' AND r.revoke_task_id = '' RETURNING r.id)
     ${told}`,
  );
}

/** Of these requested removals, proves those whose access had gone before, if its absence proves anything. */
export function updateGone(context: Context, ids: readonly string[]): Promise<Piece> {
  const { tenantId, now } = context;
  const latest = sql`(SELECT max(y.observed_from) FROM sources_public z JOIN syncs_public y ON y.tenant_id = ${tenantId} AND y.source_id = z.id
    AND y.state = 'DONE' AND y.is_complete WHERE z.tenant_id = ${tenantId} AND z.app_id = r.app_id AND z.source_no = s.source_no AND z.source_no > 0)`;
  const revision = sql`(SELECT max(v.revision) FROM revisions_public v WHERE v.tenant_id = ${tenantId})`;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations u SET state = 'VERIFIED', state_at = ${now}, ${byNobody}, sync_id = s.sync_id, revision = nullif(s.revision, 0),
         note = 'The access had ended before its removal was requested.', evidence_at = ${now}, updated_at = ${now}
       FROM revocations r CROSS JOIN LATERAL ${getStandingSql(context)} s
       WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${ids}) AND NOT s.is_present AND ${getIsAbsenceProofSql(context, revision, latest)}
         AND u.tenant_id = ${tenantId} AND u.id = r.id AND u.state = 'REQUESTED' RETURNING u.id)
     ${told}`,
  );
}

/** The number of days that the removal `r` may take. */
function getDays({ tenantId }: Context): Sql {
  const read = (table: string, key: Sql): Sql =>
    sql`(SELECT CASE WHEN d.value ~ '^[0-9]{1,3}$' AND d.value::int BETWEEN ${fixed(`${deadlineDays.least} AND ${deadlineDays.most}`)} THEN d.value::int END
      FROM (SELECT x.document -> 'annotations' ->> ${daysAnnotation} AS value FROM ${fixed(table)} x WHERE x.tenant_id = ${tenantId} AND ${key}) d)`;
  return sql`coalesce(${read('entitlements_public', sql`x.app_id = r.app_id AND x.id = r.entitlement_id`)},
    ${read('apps_public', sql`x.id = r.app_id`)}, ${fixed(String(deadlineDays.usual))})`;
}

/** Starts the clock of these removals: somebody is asked to carry them out. By `event`, PROVISION for those requested and RETRY for others. */
export function updateStarted(context: Context, ids: readonly string[], event: 'PROVISION' | 'RETRY', note = ''): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations u SET state = 'IN_PROGRESS', state_at = ${now}, ${event === 'RETRY' ? byActor(context) : byNobody}, sync_id = '',
         revision = NULL, note = ${note}, started_at = ${now}, due_at = ${now}::timestamptz + make_interval(days => ${getDays(context)}),
         overdue_count = 0, claimed_at = NULL, claimed_by_id = '', claimed_issuer_id = '', updated_at = ${now}
       FROM revocations r
       WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${ids}) AND u.tenant_id = ${tenantId} AND u.id = r.id
         AND u.state = ANY (${listStatesBefore(event)}) RETURNING u.id)
     ${told}`,
  );
}

/** Withdraws the next held removals of a review that was deleted. */
export function updateWithdrawn(context: Context, reviewId: string, limit: number): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations u SET state = 'CANCELLED', state_at = ${now}, ${byNobody}, note = 'The review was deleted.', updated_at = ${now}
       FROM (SELECT r.id FROM revocations r WHERE r.tenant_id = ${tenantId} AND r.review_id = ${reviewId} AND r.state = 'HELD'
         ORDER BY r.id LIMIT ${limit} FOR UPDATE) n
       WHERE u.tenant_id = ${tenantId} AND u.id = n.id RETURNING u.id)
     ${told}`,
  );
}
