/**
 * SQL of the queue's other lane: effects outside the database, which are taken for a time (a lease) instead of locked. A row here says when one is due
 * and who works on it, and nothing of what it is. A lease is a later `run_at`, so that "due" is one comparison and nobody looks for dead processes.
 */
import type { Db } from '../db/types.ts';
import type { Lease } from './types.ts';

/** Effects of one kind to be had at one moment. */
export interface NewEffects {
  readonly tenantId: string;
  readonly ids: readonly string[];
  readonly kind: string;
  readonly runAt: Date;
}

/** Puts effects into the queue, or back into it with all their attempts; none of a tenant that is deleted. */
export async function insertEffects(db: Db, { tenantId, ids, kind, runAt }: NewEffects, now: Date): Promise<void> {
  await db.run(
    `INSERT INTO jobs (id, tenant_id, lane, kind, subject_id, run_at, due_since, created_at, updated_at)
     SELECT id, $1, 'OUTSIDE', $3, id, $4, $4, $5, $5 FROM unnest($2::text[]) AS id
     WHERE NOT EXISTS (SELECT FROM tenants_public t WHERE t.tenant_id = $1 AND t.deleted_at IS NOT NULL)
     ON CONFLICT (id) DO UPDATE SET state = 'WAITING', attempts = 0, run_at = excluded.run_at, due_since = excluded.due_since, lease_token = '',
       updated_at = excluded.updated_at
     WHERE jobs.tenant_id = excluded.tenant_id AND jobs.lane = 'OUTSIDE'`,
    [tenantId, ids, kind, runAt, now],
  );
}

/** Finds whether an effect of these kinds is due: by the earliest of each kind alone, whatever the planner believes. */
export async function findDueEffect(db: Db, kinds: readonly string[], now: Date): Promise<boolean> {
  const sql = `SELECT FROM unnest($1::text[]) AS k (kind)
    WHERE (SELECT q.run_at FROM jobs q WHERE q.kind = k.kind AND q.state = 'WAITING' AND q.lane = 'OUTSIDE' ORDER BY q.run_at LIMIT 1) <= $2 LIMIT 1`;
  return (await db.rows(sql, [kinds, now])).length > 0;
}

/**
 * Tenants who have a due effect of these kinds, in the order of their ids, from the one after `after` on. They are found by stepping from
 * tenant to tenant in the index, so that a tenant's long queue is not read.
 */
export function listDueTenants(db: Db, kinds: readonly string[], now: Date, after: string, limit: number): Promise<string[]> {
  const next = (behind: string): string => `(SELECT q.tenant_id FROM jobs q
    WHERE q.state = 'WAITING' AND q.lane = 'OUTSIDE' AND q.tenant_id > ${behind} ORDER BY q.tenant_id LIMIT 1)`;
  return db.column<string>(
    `WITH RECURSIVE step AS (
       ${next('$3')}
       UNION ALL
       SELECT ${next('step.tenant_id')} FROM step WHERE step.tenant_id IS NOT NULL
     )
     SELECT step.tenant_id AS "tenantId" FROM step CROSS JOIN LATERAL (
       SELECT FROM unnest($1::text[]) AS k (kind)
       WHERE (SELECT q.run_at FROM jobs q
         WHERE q.tenant_id = step.tenant_id AND q.kind = k.kind AND q.state = 'WAITING' AND q.lane = 'OUTSIDE' ORDER BY q.run_at LIMIT 1) <= $2 LIMIT 1
     ) due
     WHERE step.tenant_id IS NOT NULL LIMIT $4`,
    [kinds, now, after, limit],
  );
}

/** Free places of a runner. */
export interface Room {
  /** Effects in all. */
  readonly slots: number;
  /** The kinds it takes, how many of each, and how many of each for a tenant. */
  readonly kinds: readonly { readonly kind: string; readonly slots: number; readonly slotsLeft?: (tenantId: string) => number }[];
  /** Number of each tenant it works on now. */
  readonly busy: ReadonlyMap<string, number>;
  /** Number of one tenant it works on at most. */
  readonly slotsPerTenant: number;
}

/** For whom effects are taken, by whom, and from when until when. */
export interface LeaseTerms {
  /** In the order of their turns. */
  readonly tenantIds: readonly string[];
  readonly token: string;
  readonly now: Date;
  readonly until: Date;
}

/**
 * Takes due effects of these tenants, which begins an attempt of each. First each tenant's oldest one, in the order of the tenants; then the second of
 * each, and so on; those that a tenant has under way count. What somebody else is taking at this moment is left to them.
 */
export function updateLeased(db: Db, room: Room, { tenantIds, token, now, until }: LeaseTerms): Promise<Lease[]> {
  const busy = tenantIds.map((tenantId) => room.busy.get(tenantId) ?? 0);
  return db.rows<Lease>(
    `WITH due AS MATERIALIZED (
       SELECT k.kind, k.slots, t.tenant_id, t.busy, t.position, d.id, d.run_at
       FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS k (kind, slots, number)
       CROSS JOIN unnest($5::text[], $6::int[]) WITH ORDINALITY AS t (tenant_id, busy, position)
       CROSS JOIN LATERAL (
         SELECT q.id, q.run_at FROM jobs q
         WHERE q.tenant_id = t.tenant_id AND q.kind = k.kind AND q.state = 'WAITING' AND q.lane = 'OUTSIDE' AND q.run_at <= $3
         ORDER BY q.run_at LIMIT least(k.slots, $4::int, ($10::int[])[(t.position - 1) * cardinality($1::text[]) + k.number])
       ) d
     ), turns AS (
       SELECT due.*, due.busy + row_number() OVER (PARTITION BY tenant_id ORDER BY run_at, id) AS turn FROM due
     ), places AS (
       SELECT turns.*, row_number() OVER (PARTITION BY kind ORDER BY turn, position, id) AS place FROM turns WHERE turn <= $7
     ), chosen AS MATERIALIZED (
       SELECT id FROM places WHERE place <= slots ORDER BY turn, position, id LIMIT $4
     ), locked AS MATERIALIZED (
       SELECT q.id FROM jobs q WHERE q.id = ANY (ARRAY(SELECT id FROM chosen)) AND q.state = 'WAITING' AND q.run_at <= $3 FOR UPDATE SKIP LOCKED
     )
     UPDATE jobs q SET run_at = $8, lease_token = $9, attempts = attempts + 1, updated_at = $3 WHERE q.id = ANY (ARRAY(SELECT id FROM locked))
     RETURNING q.tenant_id AS "tenantId", q.id, q.kind, q.attempts, q.lease_token AS token`,
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
      tenantIds.flatMap((tenantId) => room.kinds.map(({ slotsLeft }) => slotsLeft?.(tenantId) ?? room.slotsPerTenant)),
    ],
  );
}

/** Makes a lease last until `until`; false where somebody else has taken the effect. */
export async function updateLease(db: Db, { tenantId, id, token }: Lease, until: Date, now: Date): Promise<boolean> {
  const sql = 'UPDATE jobs SET run_at = $4, updated_at = $5 WHERE tenant_id = $1 AND id = $2 AND lease_token = $3';
  return (await db.run(sql, [tenantId, id, token, until, now])) === 1;
}

/** Locks an effect's place in the queue until the end of the transaction; false where the lease is somebody else's. */
export async function lockLease(db: Db, { tenantId, id, token }: Lease): Promise<boolean> {
  const sql = 'SELECT FROM jobs WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 FOR UPDATE';
  return (await db.rows(sql, [tenantId, id, token])).length === 1;
}

/** Gives an effect back, to be taken at `runAt`; null: it has FAILED, and nobody takes it until it is put back. */
export async function updateReleased(db: Db, lease: Lease, attempts: number, runAt: Date | null, now: Date): Promise<void> {
  await db.run(
    `UPDATE jobs SET state = CASE WHEN $4::timestamptz IS NULL THEN 'FAILED' ELSE 'WAITING' END, attempts = $3, run_at = coalesce($4, run_at),
       lease_token = '', updated_at = $5
     WHERE tenant_id = $1 AND id = $2`,
    [lease.tenantId, lease.id, attempts, runAt, now],
  );
}

/** Takes an effect out of the queue. */
export async function removeEffect(db: Db, tenantId: string, id: string): Promise<void> {
  await db.run('DELETE FROM jobs WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
}

/** Takes all effects of a tenant out of the queue: whoever has one of these loses the lease. */
export async function removeAllEffects(db: Db, tenantId: string): Promise<void> {
  await db.run("DELETE FROM jobs WHERE tenant_id = $1 AND lane = 'OUTSIDE'", [tenantId]);
}

/** Place of an effect in the queue. */
export interface EffectPlace {
  readonly id: string;
  /** Time of the next try; while somebody works on it, when their lease ends. */
  readonly runAt: Date;
  readonly attempts: number;
  readonly isRunning: boolean;
}

/** The places of those of these effects that wait, by id. OFFSET keeps the planner from reading all that waits of the tenant. */
export async function listEffectPlaces(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, EffectPlace>> {
  const rows = await db.rows<EffectPlace>(
    `SELECT id, run_at AS "runAt", attempts, lease_token <> '' AND run_at > $3 AS "isRunning"
     FROM (SELECT id, tenant_id, state, run_at, attempts, lease_token FROM jobs WHERE id = ANY ($2) OFFSET 0) q
     WHERE tenant_id = $1 AND state = 'WAITING'`,
    [tenantId, ids, now],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
