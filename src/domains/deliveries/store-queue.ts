/**
 * SQL of the table `delivery_queue`: what is due, and who works on it. The table stands outside row-level security (a runner looks before it
 * knows a tenant) and holds ids and times alone; every statement about one delivery names its tenant.
 */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/types.ts';

/** The channel on which waiting runners hear of new deliveries. */
export const deliveriesChannel = 'countersign_deliveries';

/** A delivery that was taken, and the token that says so. */
export interface Lease {
  readonly tenantId: string;
  readonly deliveryId: string;
  readonly kind: string;
  readonly token: string;
}

/** Puts deliveries into the queue, or back into it; they are due at `runAt`. */
export async function insertQueued(context: Context, ids: readonly string[], kind: string, runAt: Date): Promise<void> {
  await context.db.run(
    `INSERT INTO delivery_queue (tenant_id, delivery_id, kind, run_at, due_since) SELECT $1, id, $3, $4, $4 FROM unnest($2::text[]) AS id
     WHERE NOT EXISTS (SELECT FROM tenants t WHERE t.tenant_id = $1 AND t.deleted_at IS NOT NULL)
     ON CONFLICT (tenant_id, delivery_id) DO UPDATE SET run_at = excluded.run_at, due_since = excluded.due_since, lease_token = ''`,
    [context.tenantId, ids, kind, runAt],
  );
}

/** Takes everything of a tenant out of the queue: whoever makes one of these loses the lease. */
export async function removeAllQueued(context: Context): Promise<void> {
  await context.db.run('DELETE FROM delivery_queue WHERE tenant_id = $1', [context.tenantId]);
}

/** Wakes the runners of all processes when the transaction commits. */
export async function updateRunners(db: Db): Promise<void> {
  await db.rows('SELECT pg_notify($1, $2)', [deliveriesChannel, '']);
}

/** Whether any delivery of these kinds is due. Looks at the earliest of each kind alone, whatever the planner believes. */
export async function findDueDelivery(db: Db, kinds: readonly string[], now: Date): Promise<boolean> {
  const sql = `SELECT FROM unnest($1::text[]) AS k (kind)
    WHERE (SELECT q.run_at FROM delivery_queue q WHERE q.kind = k.kind AND q.run_at IS NOT NULL ORDER BY q.run_at LIMIT 1) <= $2 LIMIT 1`;
  return (await db.rows(sql, [kinds, now])).length > 0;
}

/**
 * Tenants who have a due delivery of these kinds, in the order of their ids, from the one after `after` on. They are found by stepping from
 * tenant to tenant in the index, so that a tenant's long queue is not read.
 */
export async function listDueTenants(db: Db, kinds: readonly string[], now: Date, after: string, limit: number): Promise<string[]> {
  const rows = await db.rows<{ tenantId: string }>(
    `WITH RECURSIVE step AS (
       (SELECT q.tenant_id FROM delivery_queue q WHERE q.tenant_id > $3 ORDER BY q.tenant_id LIMIT 1)
       UNION ALL
       SELECT (SELECT q.tenant_id FROM delivery_queue q WHERE q.tenant_id > step.tenant_id ORDER BY q.tenant_id LIMIT 1)
       FROM step WHERE step.tenant_id IS NOT NULL
     )
     SELECT step.tenant_id AS "tenantId" FROM step CROSS JOIN LATERAL (
       SELECT FROM unnest($1::text[]) AS k (kind)
       WHERE (SELECT q.run_at FROM delivery_queue q
         WHERE q.kind = k.kind AND q.tenant_id = step.tenant_id AND q.run_at IS NOT NULL ORDER BY q.run_at LIMIT 1) <= $2 LIMIT 1
     ) due
     WHERE step.tenant_id IS NOT NULL LIMIT $4`,
    [kinds, now, after, limit],
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** What a runner has room for. */
export interface Room {
  /** Deliveries in all. */
  readonly slots: number;
  /** The kinds it takes, and how many of each. */
  readonly kinds: readonly { readonly kind: string; readonly slots: number }[];
  /** How many of each tenant it works on now. */
  readonly busy: ReadonlyMap<string, number>;
  /** How many of one tenant it works on at most. */
  readonly slotsPerTenant: number;
}

/** For whom deliveries are taken, by whom, and from when until when. */
export interface LeaseTerms {
  /** In the order of their turns. */
  readonly tenantIds: readonly string[];
  readonly token: string;
  readonly now: Date;
  readonly until: Date;
}

/**
 * Takes due deliveries of these tenants. First each tenant's oldest one, in the order of the tenants; then the second of each, and so on; those
 * that a tenant has under way count. What somebody else is taking at this moment is left to them.
 */
export function updateLeased(db: Db, room: Room, { tenantIds, token, now, until }: LeaseTerms): Promise<Lease[]> {
  const busy = tenantIds.map((tenantId) => room.busy.get(tenantId) ?? 0);
  return db.rows<Lease>(
    `WITH due AS MATERIALIZED (
       SELECT k.kind, k.slots, t.tenant_id, t.busy, t.position, d.delivery_id, d.run_at
       FROM unnest($1::text[], $2::int[]) AS k (kind, slots)
       CROSS JOIN unnest($5::text[], $6::int[]) WITH ORDINALITY AS t (tenant_id, busy, position)
       CROSS JOIN LATERAL (
         SELECT q.delivery_id, q.run_at FROM delivery_queue q
         WHERE q.kind = k.kind AND q.tenant_id = t.tenant_id AND q.run_at <= $3 ORDER BY q.run_at LIMIT least(k.slots, $4::int)
       ) d
     ), turns AS (
       SELECT due.*, due.busy + row_number() OVER (PARTITION BY tenant_id ORDER BY run_at, delivery_id) AS turn FROM due
     ), places AS (
       SELECT turns.*, row_number() OVER (PARTITION BY kind ORDER BY turn, position, delivery_id) AS place FROM turns WHERE turn <= $7
     ), chosen AS MATERIALIZED (
       SELECT tenant_id, delivery_id FROM places WHERE place <= slots ORDER BY turn, position, delivery_id LIMIT $4
     ), locked AS MATERIALIZED (
       SELECT q.tenant_id, q.delivery_id FROM chosen c
       JOIN delivery_queue q ON q.tenant_id = c.tenant_id AND q.delivery_id = c.delivery_id
       WHERE q.run_at <= $3 FOR UPDATE OF q SKIP LOCKED
     )
     UPDATE delivery_queue q SET run_at = $8, lease_token = $9 FROM locked l
     WHERE q.tenant_id = l.tenant_id AND q.delivery_id = l.delivery_id
     RETURNING q.tenant_id AS "tenantId", q.delivery_id AS "deliveryId", q.kind, q.lease_token AS token`,
    [
      room.kinds.map(({ kind }) => kind),
      room.kinds.map(({ slots }) => slots),
      now,
      room.slots,
      tenantIds,
      busy,
      room.slotsPerTenant,
      until,
      token,
    ],
  );
}

/** Makes a lease last until `until`; false where somebody else has taken the delivery. */
export async function updateLease(db: Db, { tenantId, deliveryId, token }: Lease, until: Date): Promise<boolean> {
  const sql = 'UPDATE delivery_queue SET run_at = $4 WHERE tenant_id = $1 AND delivery_id = $2 AND lease_token = $3';
  return (await db.run(sql, [tenantId, deliveryId, token, until])) === 1;
}

/** Locks a delivery's place in the queue until the end of the transaction; false where the lease is somebody else's. */
export async function lockLease(db: Db, { tenantId, deliveryId, token }: Lease): Promise<boolean> {
  const sql = 'SELECT FROM delivery_queue WHERE tenant_id = $1 AND delivery_id = $2 AND lease_token = $3 FOR UPDATE';
  return (await db.rows(sql, [tenantId, deliveryId, token])).length === 1;
}

/** Gives a delivery back, to be taken at `runAt`; null: nobody takes it until it is repeated. */
export async function updateReleased(db: Db, { tenantId, deliveryId }: Lease, runAt: Date | null): Promise<void> {
  await db.run("UPDATE delivery_queue SET run_at = $3, lease_token = '' WHERE tenant_id = $1 AND delivery_id = $2", [
    tenantId,
    deliveryId,
    runAt,
  ]);
}

/** Takes a delivery out of the queue. */
export async function removeQueued(db: Db, tenantId: string, deliveryId: string): Promise<void> {
  await db.run('DELETE FROM delivery_queue WHERE tenant_id = $1 AND delivery_id = $2', [tenantId, deliveryId]);
}

/** What the metrics say of the deliveries of all tenants. */
export interface DeliveryCounts {
  readonly waiting: number;
  /** Waiting and due since `lateSince`, and nobody has taken them. */
  readonly late: number;
  readonly dead: number;
  /** Seconds since the oldest waiting one should have been made; 0 where none should. */
  readonly oldestSeconds: number;
}

/** Counts the queue. */
export function countDeliveries(db: Db, now: Date, lateSince: Date): Promise<DeliveryCounts> {
  return db.one<DeliveryCounts>(
    `SELECT count(run_at) AS waiting, count(*) FILTER (WHERE run_at < $2) AS late, count(*) FILTER (WHERE run_at IS NULL) AS dead,
       greatest(0, extract(epoch FROM $1 - min(due_since) FILTER (WHERE run_at IS NOT NULL)))::float8 AS "oldestSeconds"
     FROM delivery_queue`,
    [now, lateSince],
  );
}
