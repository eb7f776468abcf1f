/**
 * SQL that holds removals against what syncs and pushes say. A sync is looked at once, in the order in which the app got them.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import {
  byNobody,
  getIsAbsenceProofSql,
  getLinksSql,
  getLooksHeldSql,
  getPersonByNowSql,
  getStandingSql,
  getWasPresentSql,
  listStatesBefore,
  type RevocationState,
  reappearedWithinDays,
} from './record/index.ts';
import { type Piece, told } from './store-request.ts';

/** Something an app got: a sync that was done, with or without a change, or a revision that no file made. */
export interface Evidence {
  readonly revision: number;
  /** Empty where no file made it. */
  readonly syncId: string;
  /** The source of the sync. */
  readonly sourceNo: number;
  /** Time the data of the sync are of at the earliest, or the revision was made. */
  readonly at: Date;
  /** Time the sync began, or the revision was made: the order in which the app got it. */
  readonly cameAt: Date;
  /** False for a sync that may lack something: what it has not proves nothing. */
  readonly isComplete: boolean;
  /** IMPORT for a sync, else the cause of the revision. */
  readonly cause: 'IMPORT' | 'MANUAL' | 'SCIM' | 'EXPIRY';
  readonly actorId: string;
  /** True if this made the revision, rather than finding nothing changed since. */
  readonly isChange: boolean;
}

/** Locks the mark of the next app behind `behind` that may have got something since it was last followed; undefined where there is none. */
export function lockNextMark(
  context: Context,
  behind: string,
): Promise<{ appId: string; revision: number; syncAt: Date; syncId: string } | undefined> {
  const { tenantId } = context;
  return context.db.maybe(
    sql`SELECT m.app_id AS "appId", m.revision, m.sync_at AS "syncAt", m.sync_id AS "syncId" FROM revocation_marks m
     WHERE m.tenant_id = ${tenantId} AND m.app_id > ${behind} AND (
       EXISTS (SELECT FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.app_id = m.app_id AND v.revision > m.revision)
       OR EXISTS (SELECT FROM syncs_public y WHERE y.tenant_id = ${tenantId} AND y.app_id = m.app_id AND y.kind = 'GRANTS' AND y.state = 'DONE'
         AND y.revision >= m.revision AND (y.revision, y.started_at, y.id) > (m.revision, m.sync_at, m.sync_id)))
     ORDER BY m.app_id LIMIT 1 FOR UPDATE`,
  );
}

/** The next thing that an app got behind its mark. */
export function findEvidence(
  context: Context,
  mark: { readonly appId: string; readonly revision: number; readonly syncAt: Date; readonly syncId: string },
): Promise<Evidence | undefined> {
  const { tenantId } = context;
  const { appId, revision, syncAt, syncId } = mark;
  return context.db.maybe<Evidence>(
    sql`SELECT * FROM (
       (SELECT y.revision, y.id AS "syncId", coalesce(s.source_no, 0) AS "sourceNo", y.observed_from AS at, y.started_at AS "cameAt",
          y.is_complete AS "isComplete", 'IMPORT' AS cause, y.created_by_id AS "actorId",
          EXISTS (SELECT FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.revision = y.revision AND v.sync_id = y.id) AS "isChange"
        FROM syncs_public y LEFT JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.id = y.source_id
        WHERE y.tenant_id = ${tenantId} AND y.app_id = ${appId} AND y.kind = 'GRANTS' AND y.state = 'DONE' AND y.revision >= ${revision}
          AND (y.revision, y.started_at, y.id) > (${revision}, ${syncAt}, ${syncId})
        ORDER BY y.revision, y.started_at, y.id LIMIT 1)
       UNION ALL
       (SELECT v.revision, '', 0, v.made_at, v.made_at, true, v.cause, v.actor_id, true FROM revisions_public v
        WHERE v.tenant_id = ${tenantId} AND v.app_id = ${appId} AND v.revision > ${revision} AND v.sync_id = ''
        ORDER BY v.revision LIMIT 1)) n
     ORDER BY n.revision, n."cameAt", n."syncId" LIMIT 1`,
  );
}

/** Keeps how far an app was followed. */
export async function updateMark(context: Context, appId: string, { revision, cameAt, syncId }: Evidence): Promise<void> {
  await context.db.run(
    sql`UPDATE revocation_marks m SET revision = ${revision}, sync_at = ${cameAt}, sync_id = ${syncId}
      WHERE m.tenant_id = ${context.tenantId} AND m.app_id = ${appId}`,
  );
}

/**
 * Ends with a proof the removals whose access a sync of its source no longer has, if all its data are of after the request and of after the data of
 * the last one that moved it, and if the absence proves anything.
 */
export function updateProven(context: Context, appId: string, evidence: Evidence): Promise<Piece> {
  const proves = getIsAbsenceProofSql(context, sql`${evidence.revision}`, sql`${evidence.at}::timestamptz`);
  const condition = sql`NOT ${getWasPresentSql(context, evidence.revision)} AND (SELECT ${proves} FROM ${getStandingSql(context)} s)`;
  return move(context, appId, evidence, 'VERIFIED', listStatesBefore('ABSENT'), condition);
}

/** Takes back what was said to be done of access that a sync with data of after that still has. */
export function updateStillPresent(context: Context, appId: string, evidence: Evidence): Promise<Piece> {
  const condition = sql`r.claimed_at < ${evidence.at} AND ${getWasPresentSql(context, evidence.revision)}`;
  return move(context, appId, evidence, 'STILL_PRESENT', listStatesBefore('SEEN'), condition);
}

function move(
  context: Context,
  appId: string,
  evidence: Evidence,
  state: RevocationState,
  from: readonly RevocationState[],
  condition: Sql,
): Promise<Piece> {
  const { tenantId, now } = context;
  const { syncId, revision, at, sourceNo } = evidence;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations r SET state = ${state}, state_at = ${at}, ${byNobody}, sync_id = ${syncId}, revision = ${revision}, note = '',
         evidence_at = ${at}, due_at = CASE WHEN ${state} = 'VERIFIED' THEN NULL ELSE r.due_at END, updated_at = ${now}
       WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.state = ANY (${from})
         AND r.state IN ('REQUESTED', 'IN_PROGRESS', 'CLAIMED', 'STILL_PRESENT', 'REAPPEARED', 'ERROR')
         AND r.source_no = ${sourceNo} AND r.requested_at < ${at} AND coalesce(r.evidence_at < ${at}, true) AND ${condition}
       RETURNING r.id)
     ${told}`,
  );
}

/** The removals whose access ended by a revision: by its grant, or, of app access, by its account. */
function endedBy({ tenantId }: Context, appId: string, revision: number): Sql {
  return sql`SELECT r.id FROM grants_public g
      JOIN revocations r ON r.tenant_id = ${tenantId} AND r.app_id = g.app_id AND r.entitlement_id = g.entitlement_id AND r.account_id = g.account_id
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.removed_revision = ${revision}
    UNION
    SELECT r.id FROM account_changes_public c
      JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = c.app_id AND a.id = c.account_id AND a.status <> 'ENABLED'
      JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = c.app_id AND e.is_app_access
      JOIN revocations r ON r.tenant_id = ${tenantId} AND r.app_id = c.app_id AND r.entitlement_id = e.id AND r.account_id = c.account_id
      WHERE c.tenant_id = ${tenantId} AND c.app_id = ${appId} AND c.revision = ${revision}`;
}

/** Ends with a proof the removals whose access a push of an identity provider took away after it was requested. */
export function updatePushed(context: Context, appId: string, { revision, at }: Evidence): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations r SET state = 'VERIFIED', state_at = ${at}, ${byNobody}, sync_id = '', revision = ${revision}, note = '', evidence_at = ${at},
         due_at = NULL, updated_at = ${now}
       WHERE r.tenant_id = ${tenantId} AND r.id = ANY (ARRAY(${endedBy(context, appId, revision)})) AND r.state = ANY (${listStatesBefore('ABSENT')})
         AND r.requested_at < ${at} AND NOT ${getWasPresentSql(context, revision)}
         AND NOT ${getLooksHeldSql(context, sql`${revision}`)} RETURNING r.id)
     ${told}`,
  );
}

/**
 * Takes what was removed here manually as said to be done by whoever removed it: the source is people, so that a second one has to confirm it,
 * and what a program removes is said by nobody.
 */
export function updateRemovedHere(context: Context, appId: string, { revision, at, actorId }: Evidence): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations r SET state = 'CLAIMED', state_at = ${at}, actor_id = ${actorId}, actor_issuer_id = '', sync_id = '', revision = ${revision}, note = 'Removed here.',
         claimed_by_id = ${actorId}, claimed_issuer_id = '', claimed_at = ${at}, updated_at = ${now}
       WHERE r.tenant_id = ${tenantId} AND r.id = ANY (ARRAY(${endedBy(context, appId, revision)})) AND r.state = ANY (${listStatesBefore('CLAIM')})
         AND r.source_no = 0 AND r.user_id IS DISTINCT FROM ${actorId}
         AND NOT EXISTS (SELECT FROM users_public p WHERE p.tenant_id = ${tenantId} AND p.id = ${actorId} AND p.user_type = 'SERVICE') RETURNING r.id)
     ${told}`,
  );
}

/** Says of proven removals that their access was given again by a revision, if the proof is not too long ago. */
export function updateReappeared(context: Context, appId: string, evidence: Evidence, dueAt: Date): Promise<Piece> {
  const { tenantId, now } = context;
  const { revision, syncId, at } = evidence;
  const oldest = new Date(at.getTime() - reappearedWithinDays * 86_400_000);
  return context.db.one<Piece>(
    sql`WITH given AS MATERIALIZED (
       SELECT r.id FROM revocations r JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = r.app_id AND g.entitlement_id = r.entitlement_id
         AND g.account_id = r.account_id AND g.added_revision = ${revision}
       WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.state = ANY (${listStatesBefore('REAPPEAR')}) AND r.state_at >= ${oldest}
       UNION
       SELECT r.id FROM revocations r
       WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.state = ANY (${listStatesBefore('REAPPEAR')}) AND r.state_at >= ${oldest}
         AND EXISTS (SELECT FROM ${getLinksSql(context)} AND l.added_revision = ${revision})
       UNION
       SELECT r.id FROM account_changes_public c JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = c.app_id AND e.is_app_access
       JOIN revocations r ON r.tenant_id = ${tenantId} AND r.app_id = c.app_id AND r.entitlement_id = e.id AND r.account_id = c.account_id
         AND r.state = ANY (${listStatesBefore('REAPPEAR')}) AND r.state_at >= ${oldest}
       WHERE c.tenant_id = ${tenantId} AND c.app_id = ${appId} AND c.revision = ${revision}),
     changed AS (
       UPDATE revocations r SET state = 'REAPPEARED', state_at = ${at}, ${byNobody}, sync_id = ${syncId}, revision = ${revision}, note = '',
         evidence_at = ${at}, due_at = ${dueAt}, overdue_count = 0, updated_at = ${now}
       WHERE r.tenant_id = ${tenantId} AND r.id = ANY (ARRAY(SELECT n.id FROM given n)) AND ${getWasPresentSql(context, revision)} RETURNING r.id)
     ${told}`,
  );
}

/**
 * Withdraws the removals of an app for which there is nothing left to remove from: the app, the entitlement or the person was deleted. Not of a person who goes
 * on as another one, nor while what looks like the access is held: its entitlement may have come back under another spelling.
 */
export function updateObjectless(context: Context, appId: string): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations r SET state = 'CANCELLED', state_at = ${now}, ${byNobody}, sync_id = '', revision = NULL,
         note = 'The person, entitlement or app was deleted.', due_at = NULL, updated_at = ${now}
       WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.state IN ('REQUESTED', 'IN_PROGRESS') AND CASE
         WHEN EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = ${appId} AND p.deleted_at IS NOT NULL) THEN true
         WHEN EXISTS (SELECT FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND e.app_id = r.app_id AND e.id = r.entitlement_id AND e.deleted_at IS NOT NULL)
           OR EXISTS (SELECT FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = ${getPersonByNowSql(context)} AND u.status = 'DELETED')
         THEN NOT ${getLooksHeldSql(context, sql`NULL`)} ELSE false END
       RETURNING r.id)
     ${told}`,
  );
}
