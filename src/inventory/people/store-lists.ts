/** SQL of records of people as they are shown: lists of them, and who a disputed one may be. */
import type { Context } from '../../context.ts';
import { allSql, fixed, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { DisputeReason } from './store-evidence.ts';
import type { RecordRow } from './store-records.ts';

/** Somebody whose a record may be. */
export interface Candidate {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly employeeId: string;
  readonly isEnabled: boolean;
}

/** A record with the names of what it is about. */
export interface ListedRecord extends Omit<RecordRow, 'candidateIds' | 'scimId'> {
  readonly sourceDisplayName: string;
  readonly appId: string;
  readonly userDisplayName: string;
  readonly employmentStatus: string;
  readonly firstSeenAt: Date;
  readonly changedAt: Date;
  readonly goneAt: Date | null;
  readonly reason: DisputeReason;
  readonly candidates: readonly Candidate[];
  readonly disputedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly answeredById: string;
}

/** More disputed records than these are not counted. */
const maxCounted = 1_000;

const columns =
  fixed(`k.id, k.source_id AS "sourceId", coalesce(s.display_name, '') AS "sourceDisplayName", coalesce(s.app_id, '') AS "appId",
  k.anchor_kind AS "anchorKind", k.anchor, k.state, k.user_id AS "userId", coalesce(u.display_name, '') AS "userDisplayName", k.email,
  k.display_name AS "displayName", k.username, k.employee_id AS "employeeId", k.employment_status AS "employmentStatus", k.is_enabled AS "isEnabled",
  k.first_seen_at AS "firstSeenAt", k.changed_at AS "changedAt", k.gone_at AS "goneAt", k.verdict, k.reason, k.disputed_at AS "disputedAt",
  k.answered_at AS "answeredAt", k.answered_by_id AS "answeredById",
  coalesce((SELECT jsonb_agg(jsonb_build_object('userId', c.id, 'displayName', c.display_name, 'email', c.email, 'employeeId', c.employee_id,
      'isEnabled', c.status = 'ENABLED') ORDER BY c.id)
    FROM users_public c WHERE k.user_id IS NULL AND c.tenant_id = k.tenant_id AND c.id = ANY (k.candidate_ids)), '[]') AS candidates`);

const from = fixed(`person_records k LEFT JOIN sources_public s ON s.tenant_id = k.tenant_id AND s.id = k.source_id
  LEFT JOIN users_public u ON u.tenant_id = k.tenant_id AND u.id = k.user_id`);

/** Records to find; a member that is undefined filters nothing. */
export interface RecordFilter {
  readonly sourceId?: string | undefined;
  readonly userId?: string | undefined;
  /** Those of nobody: which somebody has to answer now, or which an administrator ignored. */
  readonly verdict?: 'DISPUTED' | 'IGNORED' | undefined;
}

/** A source that is gone asks nothing any more. */
const isReported = `k.state = 'LIVE' AND EXISTS (SELECT FROM sources_public o WHERE o.tenant_id = k.tenant_id AND o.id = k.source_id AND o.deleted_at IS NULL)`;
const isAsked = fixed(`k.verdict = 'DISPUTED' AND ${isReported}`);
const isIgnored = fixed(`k.verdict = 'IGNORED' AND ${isReported}`);

const conditions: Conditions<RecordFilter> = {
  sourceId: (id) => sql`k.source_id = ${id}`,
  userId: (id) => sql`k.user_id = ${id}`,
  verdict: (verdict) => (verdict === 'DISPUTED' ? isAsked : isIgnored),
};

/** A page of records by id: those of one moment in the order in which their source told of them. */
export function listRecords(context: Context, filter: RecordFilter, after: string, limit: number): Promise<ListedRecord[]> {
  return list(context, [sql`k.id > ${after}`, ...listConditions(filter, conditions)], limit);
}

/** The record with this id. */
export async function findListed(context: Context, id: string): Promise<ListedRecord | undefined> {
  return (await list(context, [sql`k.id = ${id}`], 1))[0];
}

function list({ db, tenantId }: Context, where: readonly Sql[], limit: number): Promise<ListedRecord[]> {
  return db.rows<ListedRecord>(
    sql`SELECT ${columns} FROM ${from} WHERE ${allSql([sql`k.tenant_id = ${tenantId}`, ...where])} ORDER BY k.id LIMIT ${limit}`,
  );
}

/** Counts the records that somebody has to answer; at most 1,000. */
export function countDisputed(context: Context): Promise<number> {
  return context.db.value<number>(
    sql`SELECT count(*) AS count FROM (SELECT FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND ${isAsked} LIMIT ${maxCounted}) AS asked`,
  );
}

/** The verdicts on these pushed users, by their SCIM ids. */
export async function listVerdicts(context: Context, sourceId: string, scimIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await context.db.rows<{ id: string; verdict: string }>(
    sql`SELECT k.scim_id AS id, k.verdict FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND k.source_id = ${sourceId}
      AND k.scim_id = ANY (${[...scimIds]}) AND k.scim_id <> ''`,
  );
  return new Map(rows.map(({ id, verdict }) => [id, verdict]));
}
