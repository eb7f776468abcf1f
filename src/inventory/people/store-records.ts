/** SQL of the table `person_records` about one record at a time, as identity providers push them. Those of files are in store-file-records.ts. */
import type { Context } from '../../context.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { fixed, sql } from '../../lib/sql.ts';
import { type DisputeReason, getEvidenceSql, isTerminatedSql, type Outcome, statusSql } from './store-evidence.ts';

/** State of a record (`person_records.state`). */
export type RecordState = 'LIVE' | 'GONE';
/** Verdict on a record (`person_records.verdict`): nobody had to ask, nobody answered yet, or what an administrator answered. */
export type Verdict = 'CLEAR' | 'DISPUTED' | 'SAME_PERSON' | 'NEW_PERSON' | 'IGNORED';
/** Kind of an anchor (`person_records.anchor_kind`). */
export type AnchorKind = 'EXTERNAL_ID' | 'SCIM_ID' | 'EMPLOYEE_ID' | 'ADDRESS';

/** A record as far as correlation needs it. */
export interface RecordRow {
  readonly id: string;
  readonly sourceId: string;
  readonly anchorKind: AnchorKind;
  readonly anchor: string;
  readonly userId: string | null;
  readonly state: RecordState;
  readonly scimId: string;
  readonly email: string;
  readonly displayName: string;
  readonly username: string;
  readonly employeeId: string;
  readonly isHeard: boolean;
  readonly isEnabled: boolean | null;
  readonly verdict: Verdict;
  readonly reason: DisputeReason;
  readonly candidateIds: readonly string[];
}

const columns =
  fixed(`k.id, k.source_id AS "sourceId", k.anchor_kind AS "anchorKind", k.anchor, k.user_id AS "userId", k.state, k.scim_id AS "scimId",
  k.email, k.display_name AS "displayName", k.username, k.employee_id AS "employeeId", k.is_heard AS "isHeard", k.is_enabled AS "isEnabled", k.verdict, k.reason,
  k.candidate_ids AS "candidateIds"`);

/** The records of a source with this anchor, and of this pushed user. */
export function listRecordsOf(context: Context, sourceId: string, externalId: string, scimId: string): Promise<RecordRow[]> {
  return context.db.rows<RecordRow>(
    sql`SELECT ${columns} FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND k.source_id = ${sourceId}
        AND k.anchor_kind = 'EXTERNAL_ID' AND k.anchor = ${externalId} AND ${externalId} <> ''
      UNION SELECT ${columns} FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND k.source_id = ${sourceId} AND k.scim_id = ${scimId}
        AND k.scim_id <> ''`,
  );
}

/** The record with this id, held until the end of the transaction. */
export function lockRecord(context: Context, id: string): Promise<RecordRow | undefined> {
  return context.db.maybe<RecordRow>(
    sql`SELECT ${columns} FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND k.id = ${id} FOR UPDATE`,
  );
}

/** Things said of somebody by which they are found. */
export interface Said {
  readonly externalId: string;
  readonly emailKey: string;
  readonly employeeId: string;
  readonly displayName: string;
}

/** Result of looking at evidence. */
export interface Found {
  readonly outcome: Outcome;
  readonly reason: DisputeReason;
  readonly userId: string | null;
  readonly candidateIds: readonly string[];
  readonly leaverId: string | null;
}

/** Looks at the evidence for one record. */
export function findByEvidence(context: Context, sourceId: string, said: Said): Promise<Found> {
  const { tenantId } = context;
  const rows = sql`SELECT 1 AS line, ${said.emailKey}::text AS email_key, ${said.employeeId}::text AS employee_id,
    ${said.displayName}::text AS display_name, ${said.externalId}::text AS external_id, false AS is_shared`;
  const holder = sql`SELECT w.id FROM users_public w WHERE w.tenant_id = ${tenantId} AND w.email_key = r.email_key AND w.email_key <> ''
    AND w.user_type = 'HUMAN'`;
  return context.db.one<Found>(
    sql`SELECT x.outcome, x.reason, x.user_id AS "userId", coalesce(x.candidate_ids, '{}') AS "candidateIds", x.leaver_id AS "leaverId"
      FROM (${getEvidenceSql(tenantId, sourceId, rows, holder)}) AS x`,
  );
}

/** A record to write. */
export interface WrittenRecord {
  readonly id: string;
  readonly sourceId: string;
  readonly anchorKind: AnchorKind;
  readonly anchor: string;
  readonly scimId: string;
  readonly userId: string | null;
  readonly isHeard: boolean;
  readonly email: string;
  readonly displayName: string;
  readonly username: string;
  readonly employeeId: string;
  readonly isEnabled: boolean | null;
  readonly verdict: Verdict;
  readonly reason: DisputeReason;
  readonly candidateIds: readonly string[];
}

/** Adds a record, or makes it say this: it is LIVE. `changed_at` moves only where it says something else. */
export async function upsertRecord(context: Context, record: WrittenRecord): Promise<void> {
  const { tenantId, now } = context;
  await context.db.run(
    sql`INSERT INTO person_records AS k (tenant_id, id, source_id, anchor_kind, anchor, scim_id, user_id, is_heard, email, email_key, display_name,
        username, employee_id, is_enabled, verdict, reason, candidate_ids, first_seen_at, changed_at, disputed_at)
      VALUES (${tenantId}, ${record.id}, ${record.sourceId}, ${record.anchorKind}, ${record.anchor}, ${record.scimId}, ${record.userId},
        ${record.isHeard}, ${record.email}, ${getAddressKey(record.email)}, ${record.displayName}, ${record.username}, ${record.employeeId},
        ${record.isEnabled}, ${record.verdict}, ${record.reason}, ${[...record.candidateIds]}::text[], ${now}, ${now},
        ${record.verdict === 'DISPUTED' ? now : null})
      ON CONFLICT (tenant_id, id) DO UPDATE SET anchor_kind = excluded.anchor_kind, anchor = excluded.anchor, scim_id = excluded.scim_id,
        user_id = excluded.user_id, state = 'LIVE', gone_at = NULL, is_heard = excluded.is_heard, email = excluded.email,
        email_key = excluded.email_key, display_name = excluded.display_name, username = excluded.username, employee_id = excluded.employee_id,
        is_enabled = excluded.is_enabled, verdict = excluded.verdict, reason = excluded.reason, candidate_ids = excluded.candidate_ids,
        disputed_at = CASE WHEN excluded.verdict = 'DISPUTED' THEN coalesce(k.disputed_at, excluded.disputed_at) ELSE k.disputed_at END,
        changed_at = excluded.changed_at
      WHERE (k.anchor_kind, k.anchor, k.scim_id, k.user_id, k.state, k.is_heard, k.email, k.display_name, k.username, k.employee_id, k.is_enabled,
          k.verdict, k.reason, k.candidate_ids)
        IS DISTINCT FROM (excluded.anchor_kind, excluded.anchor, excluded.scim_id, excluded.user_id, 'LIVE', excluded.is_heard, excluded.email,
          excluded.display_name, excluded.username, excluded.employee_id, excluded.is_enabled, excluded.verdict, excluded.reason,
          excluded.candidate_ids)`,
  );
}

/** Lets a record be one that its source reports no longer. */
export async function endRecord(context: Context, id: string): Promise<void> {
  await context.db.run(
    sql`UPDATE person_records SET state = 'GONE', scim_id = '', gone_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}
      AND state = 'LIVE'`,
  );
}

/** Takes the pushed user from a record that stays as it is while it is disputed whose that user is now. */
export async function releaseRecord(context: Context, id: string): Promise<void> {
  await context.db.run(sql`UPDATE person_records SET scim_id = '' WHERE tenant_id = ${context.tenantId} AND id = ${id}`);
}

/** Ends the records of these people that were kept for want of an answer, and returns whose they were. */
export function endKept(context: Context, sourceId: string, userIds: readonly string[]): Promise<string[]> {
  return context.db.column<string>(
    sql`UPDATE person_records SET state = 'GONE', gone_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND source_id = ${sourceId}
      AND user_id = ANY (${[...userIds]}) AND anchor_kind IN ('EXTERNAL_ID', 'SCIM_ID') AND scim_id = '' AND state = 'LIVE'
      RETURNING user_id AS "userId"`,
  );
}

/** Lets a source be heard about a person, or not. */
export async function updateHeard(context: Context, userId: string, sourceId: string): Promise<void> {
  await context.db.run(
    sql`UPDATE person_records SET is_heard = true WHERE tenant_id = ${context.tenantId} AND user_id = ${userId} AND source_id = ${sourceId}`,
  );
}

/** Writes an administrator's answer. */
export async function updateVerdict(
  context: Context,
  id: string,
  { verdict, userId }: { readonly verdict: Verdict; readonly userId: string | null },
): Promise<void> {
  await context.db.run(
    sql`UPDATE person_records SET verdict = ${verdict}, user_id = ${userId}, answered_at = ${context.now}, answered_by_id = ${context.actor.userId}
      WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** The record of a pushed user. */
export function findRecordOf(context: Context, sourceId: string, scimId: string): Promise<RecordRow | undefined> {
  return context.db.maybe<RecordRow>(
    sql`SELECT ${columns} FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND k.source_id = ${sourceId} AND k.scim_id = ${scimId}
      AND k.scim_id <> ''`,
  );
}

/** What the sources say of a person together, and who speaks for them in one of these. */
export interface Standing {
  /** Null where no source may speak for the person, or none says. */
  readonly status: 'ENABLED' | 'DISABLED' | null;
  /** True if a source that owns employment says that the person is terminated, or said so last. */
  readonly isTerminated: boolean;
  /** The pushed user whose attributes are the person's: whose address is its user name, else the oldest; null where the source reports none. */
  readonly speakerId: string | null;
}

/** Finds what the sources say of a person together. */
export function findStanding({ db, tenantId }: Context, userId: string, sourceId: string): Promise<Standing> {
  // All records of the person first: they are few, and each of the answers would look for its own.
  return db.one<Standing>(
    sql`WITH records AS MATERIALIZED (SELECT k.* FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.user_id = ${userId}),
      heard AS (SELECT k.* FROM records k JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.id = k.source_id AND s.deleted_at IS NULL
        WHERE k.is_heard)
      SELECT (SELECT ${statusSql} FROM heard k HAVING count(*) > 0) AS status,
        EXISTS (SELECT FROM heard k WHERE ${isTerminatedSql}) AS "isTerminated",
        (SELECT k.scim_id FROM records k WHERE k.source_id = ${sourceId} AND k.state = 'LIVE' AND k.scim_id <> ''
          ORDER BY (k.email_key <> '' AND k.email_key = k.username_key) DESC, k.first_seen_at, k.id LIMIT 1) AS "speakerId"`,
  );
}

/** True if another source than this one reports the person, or did. */
export function isKnownElsewhere(context: Context, userId: string, sourceId: string): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM person_records k WHERE k.tenant_id = ${context.tenantId} AND k.user_id = ${userId} AND k.source_id <> ${sourceId})
      AS found`,
  );
}
