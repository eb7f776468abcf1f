/** SQL of the table `removal_sendings`: removals that a connector carries out. Planning them is in store-plan.ts. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { LeftReason, SendingState } from '../record/index.ts';
import { listSendingsBefore, openSendings, type SendingEvent, sendingMoves } from './store-states.ts';

/** A sending. */
export interface SendingRow {
  readonly id: string;
  readonly sourceId: string;
  readonly state: SendingState;
  readonly taskId: string;
  readonly failures: number;
}

const columns = sql`x.revocation_id AS id, x.source_id AS "sourceId", x.state, x.task_id AS "taskId", x.failures`;

/** Returns the sending of a task of a connector, locked; undefined where the task is not its task any more. */
export function lockSendingOfTask({ db, tenantId }: Context, taskId: string): Promise<SendingRow | undefined> {
  return db.maybe<SendingRow>(
    sql`SELECT ${columns} FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.task_id = ${taskId} AND x.task_id <> '' FOR UPDATE`,
  );
}

/** Returns the removal of a task of a connector. */
export function findRevocationOfSending({ db, tenantId }: Context, taskId: string): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT x.revocation_id AS id FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.task_id = ${taskId} AND x.task_id <> ''`,
  );
}

/** Facts that a move may bring along. */
export interface SendingFacts {
  readonly taskId?: string;
  readonly failures?: number;
  readonly reason?: LeftReason;
  readonly host?: { readonly hostId: string; readonly hostname: string; readonly package: string; readonly packageVersion: string };
}

/** Moves a sending by an event; false, and nothing changed, where its state does not allow it. */
export async function moveSending(context: Context, id: string, event: SendingEvent, facts: SendingFacts = {}): Promise<boolean> {
  const { db, tenantId, now } = context;
  for (const from of listSendingsBefore(event)) {
    const state = sendingMoves[from][event] ?? from;
    const isOver = !openSendings.includes(state);
    const { host } = facts;
    const moved = await db.run(
      sql`UPDATE removal_sendings SET state = ${state}, reason = ${facts.reason ?? ''}, task_id = coalesce(${facts.taskId ?? null}, task_id),
          failures = coalesce(${facts.failures ?? null}::integer, failures), host_id = coalesce(${host?.hostId ?? null}, host_id),
          hostname = coalesce(${host?.hostname ?? null}, hostname), package = coalesce(${host?.package ?? null}, package),
          package_version = coalesce(${host?.packageVersion ?? null}, package_version),
          passed_at = CASE WHEN ${event} IN ('PASS', 'RELEASE') THEN ${now}::timestamptz ELSE passed_at END,
          sent_at = CASE WHEN ${event} = 'SEND' THEN ${now}::timestamptz ELSE sent_at END,
          ended_at = CASE WHEN ${isOver} THEN ${now}::timestamptz END, wants_proof = ${event === 'SUCCEED'}
        WHERE tenant_id = ${tenantId} AND revocation_id = ${id} AND state = ${from}`,
    );
    if (moved === 1) {
      return true;
    }
  }
  return false;
}

/** Sendings that are open although they are not to be, with their tasks and what to say of them. */
export interface UnfitRow {
  readonly id: string;
  readonly sourceId: string;
  readonly appId: string;
  readonly sourceName: string;
  readonly taskId: string;
  /** '' where the removal went on without its connector. */
  readonly reason: LeftReason | '';
}

/** The next open sendings whose removal went on without them, or whose source cannot be used any more. */
export function listUnfit({ db, tenantId }: Context, limit: number): Promise<UnfitRow[]> {
  return db.rows<UnfitRow>(
    sql`SELECT x.revocation_id AS id, x.source_id AS "sourceId", s.app_id AS "appId", s.display_name AS "sourceName", x.task_id AS "taskId",
        CASE WHEN r.state <> 'IN_PROGRESS' THEN '' WHEN s.deleted_at IS NOT NULL THEN 'DELETED' WHEN NOT s.removals_enabled THEN 'OFF'
          WHEN s.paused_at IS NOT NULL THEN 'PAUSED' ELSE 'STALE' END AS reason
      FROM removal_sendings x
      JOIN revocations r ON r.tenant_id = ${tenantId} AND r.id = x.revocation_id
      JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.id = x.source_id
      WHERE x.tenant_id = ${tenantId} AND x.state = ANY (${[...openSendings]}) AND (r.state <> 'IN_PROGRESS' OR s.deleted_at IS NOT NULL
        OR NOT s.removals_enabled OR s.paused_at IS NOT NULL OR s.stale_since IS NOT NULL)
      ORDER BY x.task_id, x.revocation_id LIMIT ${limit}`,
  );
}

/** The sources with sendings that were handed out: what their hosts are silent about has to end. */
export function listSourcesWithSent({ db, tenantId }: Context): Promise<string[]> {
  return db.column<string>(
    sql`SELECT DISTINCT x.source_id AS id FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.state = 'SENT' ORDER BY 1`,
  );
}

/** A source whose connector carried something out that is not proven, since when, and whether it is at more. */
export interface UnprovenSource {
  readonly sourceId: string;
  readonly since: Date;
  readonly isBusy: boolean;
}

/** The sources with sendings that want a proof. */
export function listUnproven({ db, tenantId }: Context): Promise<UnprovenSource[]> {
  return db.rows<UnprovenSource>(
    sql`SELECT x.source_id AS "sourceId", min(x.ended_at) AS since, EXISTS (SELECT FROM removal_sendings o WHERE o.tenant_id = ${tenantId}
        AND o.source_id = x.source_id AND o.state = 'SENT') AS "isBusy"
      FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.wants_proof GROUP BY x.source_id ORDER BY x.source_id`,
  );
}

/** Takes down that a proof was asked for of what the connector of a source carried out so far. */
export async function updateProofAsked({ db, tenantId }: Context, sourceId: string): Promise<void> {
  await db.run(
    sql`UPDATE removal_sendings SET wants_proof = false WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND wants_proof`,
  );
}
