/** SQL of the table `connector_tasks`: what connectors are asked to do, and who is at it. */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { idFloor } from '../../wire/ids.ts';

/** Kind of a task of a connector (`connector_tasks.kind`). */
export type TaskKind = 'SYNC' | 'REVOKE' | 'DELETE';

/** State of a task (`connector_tasks.state`): READING is that its file is here and is being read. */
export type TaskState = 'WAITING' | 'RUNNING' | 'READING' | 'DONE' | 'FAILED' | 'CANCELLED';

/** A task. */
export interface ConnectorTask {
  readonly id: string;
  readonly sourceId: string;
  readonly kind: TaskKind;
  /** The fetch that a sync is of; '' for others. */
  readonly fetchId: string;
  /** Content of a removal, as it is sent; null for a sync. */
  readonly message: Buffer | null;
  readonly state: TaskState;
  readonly hostId: string;
  readonly leasedUntil: Date | null;
  readonly attempts: number;
  /** Hexadecimal; '' before an upload. */
  readonly sha256: string;
  readonly error: string;
  readonly startedAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const columns = `id, source_id AS "sourceId", kind, fetch_id AS "fetchId", message, state, host_id AS "hostId", leased_until AS "leasedUntil", attempts, sha256, error,
  started_at AS "startedAt", created_at AS "createdAt", ended_at AS "endedAt"`;

/** Adds a task that waits; of syncs a source has one at a time, and a second is not added. */
export async function insertTask(context: Context, task: Pick<ConnectorTask, 'id' | 'sourceId' | 'kind' | 'fetchId'>): Promise<void> {
  await context.db.run(
    sql`INSERT INTO connector_tasks (tenant_id, id, source_id, kind, fetch_id, state, created_at)
      VALUES (${context.tenantId}, ${task.id}, ${task.sourceId}, ${task.kind}, ${task.fetchId}, 'WAITING', ${context.now})
      ON CONFLICT DO NOTHING`,
  );
}

/** A removal for a connector. */
export interface NewRemoval {
  readonly id: string;
  readonly sourceId: string;
  readonly kind: Exclude<TaskKind, 'SYNC'>;
  readonly message: Uint8Array;
  readonly resourceType: string;
  /** True if it is kept back until it is released. */
  readonly isHeld?: boolean;
}

/** Adds a removal that waits. */
export async function insertRemoval({ db, tenantId, now }: Context, task: NewRemoval): Promise<void> {
  await db.run(
    sql`INSERT INTO connector_tasks (tenant_id, id, source_id, kind, message, resource_type, not_before, state, created_at)
      VALUES (${tenantId}, ${task.id}, ${task.sourceId}, ${task.kind}, ${Buffer.from(task.message)}, ${task.resourceType}, ${task.isHeld === true ? 'infinity' : null}::timestamptz,
        'WAITING', ${now})`,
  );
}

/** Lets removals go that were kept back. */
export async function updateReleased({ db, tenantId }: Context, ids: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE connector_tasks SET not_before = NULL WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]}) AND state = 'WAITING'`,
  );
}

/** Adds the same removal anew as a task that is not sent before a moment. */
export async function insertAgain({ db, tenantId, now }: Context, formerId: string, id: string, notBefore: Date): Promise<void> {
  await db.run(
    sql`INSERT INTO connector_tasks (tenant_id, id, source_id, kind, message, resource_type, not_before, state, created_at)
      SELECT t.tenant_id, ${id}, t.source_id, t.kind, t.message, t.resource_type, ${notBefore}, 'WAITING', ${now} FROM connector_tasks t
      WHERE t.tenant_id = ${tenantId} AND t.id = ${formerId}`,
  );
}

/** Capability by which a host can carry the task `t` out. */
const provisions = sql`CASE t.kind WHEN 'REVOKE' THEN 'CAPABILITY_PROVISION' ELSE 'CAPABILITY_RESOURCE_DELETE' END`;

/** Condition that the task `t` waits for a host, or that its holder fell silent; removals go to hosts that said that they can. */
const leasable = (
  { tenantId, now }: Context,
  sourceId: string,
  hostId: string,
): Sql => sql`t.tenant_id = ${tenantId} AND t.source_id = ${sourceId}
  AND t.ended_at IS NULL AND (t.state = 'WAITING' AND (t.not_before IS NULL OR t.not_before <= ${now})
    OR t.state IN ('RUNNING', 'READING') AND t.leased_until <= ${now})
  AND (t.kind = 'SYNC' OR EXISTS (SELECT FROM source_hosts h WHERE h.tenant_id = ${tenantId} AND h.source_id = ${sourceId} AND h.host_id = ${hostId}
    AND h.type_capabilities -> t.resource_type ? ${provisions}))`;

/** True if a host could be given something: what waits, or what its holder fell silent over. */
export function hasLeasable(context: Context, sourceId: string, hostId: string): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM connector_tasks t WHERE ${leasable(context, sourceId, hostId)}) AS found`,
  );
}

/** Returns the sync of a source that has not ended. */
export function findOpenSync(context: Context, sourceId: string): Promise<ConnectorTask | undefined> {
  return context.db.maybe<ConnectorTask>(
    `SELECT ${columns} FROM connector_tasks WHERE tenant_id = $1 AND source_id = $2 AND kind = 'SYNC' AND ended_at IS NULL LIMIT 1`,
    [context.tenantId, sourceId],
  );
}

/** Returns a task of a source. */
export function findTask(context: Context, sourceId: string, id: string): Promise<ConnectorTask | undefined> {
  return context.db.maybe<ConnectorTask>(`SELECT ${columns} FROM connector_tasks WHERE tenant_id = $1 AND source_id = $2 AND id = $3`, [
    context.tenantId,
    sourceId,
    id,
  ]);
}

/** The same, locked until the transaction ends. */
export function lockTask(context: Context, sourceId: string, id: string): Promise<ConnectorTask | undefined> {
  return context.db.maybe<ConnectorTask>(
    `SELECT ${columns} FROM connector_tasks WHERE tenant_id = $1 AND source_id = $2 AND id = $3 FOR NO KEY UPDATE`,
    [context.tenantId, sourceId, id],
  );
}

/** Leases up to `limit` tasks to a host, each for as long as its kind is: those that wait, and those whose holder fell silent. */
export function leaseTasks(
  context: Context,
  sourceId: string,
  hostId: string,
  until: Readonly<Record<TaskKind, Date>>,
  limit: number,
): Promise<ConnectorTask[]> {
  const { tenantId, now } = context;
  return context.db.rows<ConnectorTask>(
    sql`UPDATE connector_tasks SET state = 'RUNNING', host_id = ${hostId}, started_at = ${now}, attempts = attempts + 1, sha256 = '',
       leased_until = CASE kind WHEN 'SYNC' THEN ${until.SYNC}::timestamptz ELSE ${until.REVOKE}::timestamptz END
     WHERE tenant_id = ${tenantId} AND id IN (
       SELECT t.id FROM connector_tasks t WHERE ${leasable(context, sourceId, hostId)} ORDER BY t.id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING ${fixed(columns)}`,
  );
}

/** Ends the tasks of a source that were handed out too often: their last holder fell silent, too. Returns them. */
export function failSilentTasks(context: Context, sourceId: string, maxAttempts: number, error: string): Promise<ConnectorTask[]> {
  return context.db.rows<ConnectorTask>(
    sql`UPDATE connector_tasks SET state = 'FAILED', error = ${error}, ended_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND source_id = ${sourceId} AND ended_at IS NULL AND attempts >= ${maxAttempts}
        AND state IN ('RUNNING', 'READING') AND leased_until <= ${context.now}
      RETURNING ${fixed(columns)}`,
  );
}

/** Keeps the lease of a host for longer; true if it still held the task. */
export async function renewLease(context: Context, id: string, hostId: string, until: Date): Promise<boolean> {
  const renewed = await context.db.run(
    sql`UPDATE connector_tasks SET leased_until = ${until}
      WHERE tenant_id = ${context.tenantId} AND id = ${id} AND host_id = ${hostId} AND ended_at IS NULL AND state IN ('RUNNING', 'READING')`,
  );
  return renewed === 1;
}

/** Moves a task from RUNNING to READING, with the digest of its file; false where its host no longer holds it. */
export async function beginReading(context: Context, id: string, hostId: string, sha256: string, until: Date): Promise<boolean> {
  const begun = await context.db.run(
    sql`UPDATE connector_tasks SET state = 'READING', sha256 = ${sha256}, leased_until = ${until}
      WHERE tenant_id = ${context.tenantId} AND id = ${id} AND host_id = ${hostId} AND state = 'RUNNING'`,
  );
  return begun === 1;
}

/** Ends a task that has not ended; true if it was this call that did. */
export async function endTask(
  context: Context,
  id: string,
  state: Extract<TaskState, 'DONE' | 'FAILED' | 'CANCELLED'>,
  error: string,
): Promise<boolean> {
  const ended = await context.db.run(
    sql`UPDATE connector_tasks SET state = ${state}, error = ${error}, ended_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${id} AND ended_at IS NULL`,
  );
  return ended === 1;
}

/** Forgets what ended removals were about: who held what is in the inventory. */
export async function forgetMessages({ db, tenantId }: Context, ids: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE connector_tasks SET message = NULL WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]}) AND ended_at IS NOT NULL`,
  );
}

/** Clocks of processes differ by less. */
const clockSlackMs = 3_600_000;

/** Returns the log of the task of a fetch, and the host that worked on it. The task is no older than its fetch, so few rows are passed over. */
export function findLog(
  context: Context,
  sourceId: string,
  { id: fetchId, createdAt }: { readonly id: string; readonly createdAt: Date },
): Promise<{ readonly log: string; readonly hostId: string } | undefined> {
  return context.db.maybe<{ log: string; hostId: string }>(
    sql`SELECT log, host_id AS "hostId" FROM connector_tasks
      WHERE tenant_id = ${context.tenantId} AND id >= ${idFloor(new Date(createdAt.getTime() - clockSlackMs))} AND source_id = ${sourceId} AND fetch_id = ${fetchId} ORDER BY id LIMIT 1`,
  );
}

/** Keeps the log of a connector with its task. */
export async function updateLog(context: Context, id: string, log: string): Promise<void> {
  await context.db.run(sql`UPDATE connector_tasks SET log = ${log} WHERE tenant_id = ${context.tenantId} AND id = ${id}`);
}

/** True if the log of a task has these words, in any case. */
export function hasInLog(context: Context, id: string, words: string): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM connector_tasks
      WHERE tenant_id = ${context.tenantId} AND id = ${id} AND position(fold_case(${words}) IN fold_case(log)) > 0) AS found`,
  );
}
