/** SQL of the table `deliveries`: what each delivery is and what came of it. When one is due is in the queue (src/jobs). */
import type { Context } from '../../context.ts';
import { allSql, fixed, sql } from '../../lib/sql.ts';
import { listConditions } from '../../lib/where.ts';
import type { Delivery, DeliveryData, DeliveryState } from './types.ts';

const columns = `id, kind, subject_id AS "subjectId", idempotency_key AS "idempotencyKey", payload, state, attempts, repeats, error, receipt,
  discard_reason AS "discardReason", created_at AS "createdAt", updated_at AS "updatedAt", ended_at AS "endedAt"`;

/** A row to be. */
export interface NewDelivery {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly payload: DeliveryData;
}

/** Adds a delivery; false where there is one of this kind with this key. */
export async function insertDelivery(context: Context, row: NewDelivery): Promise<boolean> {
  const inserted = await context.db.run(
    `INSERT INTO deliveries (tenant_id, id, kind, subject_id, idempotency_key, payload, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (tenant_id, kind, idempotency_key) DO NOTHING`,
    [context.tenantId, row.id, row.kind, row.subjectId, row.idempotencyKey, JSON.stringify(row.payload), context.now],
  );
  return inserted === 1;
}

/** The id of the delivery of this kind with this key. */
export function findDeliveryIdByKey(context: Context, kind: string, idempotencyKey: string): Promise<string | undefined> {
  return context.db.maybeValue<string>('SELECT id FROM deliveries WHERE tenant_id = $1 AND kind = $2 AND idempotency_key = $3', [
    context.tenantId,
    kind,
    idempotencyKey,
  ]);
}

/** The delivery with this id. */
export function findDelivery(context: Context, id: string): Promise<Delivery | undefined> {
  return context.db.maybe<Delivery>(`SELECT ${columns} FROM deliveries WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id]);
}

/** The delivery with this id, locked until the end of the transaction. */
export function lockDelivery(context: Context, id: string): Promise<Delivery | undefined> {
  return context.db.maybe<Delivery>(`SELECT ${columns} FROM deliveries WHERE tenant_id = $1 AND id = $2 FOR UPDATE`, [
    context.tenantId,
    id,
  ]);
}

/** Deliveries that are asked for; a member that is undefined filters nothing. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly kind?: string | undefined;
}

/** A page of deliveries, the newest first; `before` is the last id of the page before, '' at the start. */
export function listDeliveries(context: Context, filter: DeliveryFilter, before: string, limit: number): Promise<Delivery[]> {
  const conditions = listConditions<DeliveryFilter>(filter, {
    state: (state) => sql`state = ${state}`,
    kind: (kind) => sql`kind = ${kind}`,
  });
  // '~' sorts behind every identifier.
  const page = sql`id < ${before === '' ? '~' : before} ORDER BY id DESC LIMIT ${limit}`;
  return context.db.rows<Delivery>(
    sql`SELECT ${fixed(columns)} FROM deliveries WHERE tenant_id = ${context.tenantId} AND ${allSql(conditions)} AND ${page}`,
  );
}

/** Takes down that the delivery was made. */
export async function updateDelivered(context: Context, id: string, attempts: number, receipt: DeliveryData): Promise<void> {
  await context.db.run(
    `UPDATE deliveries SET state = 'DONE', attempts = $5, receipt = $3, error = '', updated_at = $4, ended_at = $4 WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, JSON.stringify(receipt), context.now, attempts],
  );
}

/** Takes down an attempt after which there is another. */
export async function updateFailed(context: Context, id: string, attempts: number, error: string): Promise<void> {
  await context.db.run('UPDATE deliveries SET attempts = $3, error = $4, updated_at = $5 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    id,
    attempts,
    error,
    context.now,
  ]);
}

/** Takes down the last attempt. */
export async function updateDead(context: Context, id: string, attempts: number, error: string): Promise<void> {
  await context.db.run(
    "UPDATE deliveries SET state = 'DEAD', attempts = $5, error = $3, updated_at = $4, ended_at = $4 WHERE tenant_id = $1 AND id = $2",
    [context.tenantId, id, error, context.now, attempts],
  );
}

/** Lets a delivery wait again, with all its attempts; its last error stays until the next. */
export async function updateRepeated(context: Context, id: string): Promise<void> {
  await context.db.run(
    `UPDATE deliveries SET state = 'WAITING', attempts = 0, repeats = repeats + 1, updated_at = $3, ended_at = NULL
     WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, context.now],
  );
}

/** The same for the oldest dead deliveries of a kind, at most `limit`; returns their ids. Those that somebody else changes now are left out. */
export function updateDeadRepeated(context: Context, kind: string, limit: number): Promise<string[]> {
  return context.db.column<string>(
    `WITH chosen AS (
       SELECT id FROM deliveries WHERE tenant_id = $1 AND kind = $2 AND state = 'DEAD' ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
     ), repeated AS (
       UPDATE deliveries d SET state = 'WAITING', attempts = 0, repeats = d.repeats + 1, updated_at = $4, ended_at = NULL
       FROM chosen WHERE d.tenant_id = $1 AND d.id = chosen.id RETURNING d.id
     ) SELECT id FROM repeated ORDER BY id`,
    [context.tenantId, kind, limit, context.now],
  );
}

/** Gives up all that waits of a tenant. */
export async function updateAllDiscarded(context: Context, reason: string): Promise<void> {
  await context.db.run(
    "UPDATE deliveries SET state = 'DISCARDED', discard_reason = $2, updated_at = $3, ended_at = $3 WHERE tenant_id = $1 AND state = 'WAITING'",
    [context.tenantId, reason, context.now],
  );
}

/** Gives a delivery up for good. */
export async function updateDiscarded(context: Context, id: string, reason: string): Promise<void> {
  await context.db.run(
    "UPDATE deliveries SET state = 'DISCARDED', discard_reason = $3, updated_at = $4, ended_at = $4 WHERE tenant_id = $1 AND id = $2",
    [context.tenantId, id, reason, context.now],
  );
}

/** Removes the tenant's deliveries that ended before `before`, at most 10,000 at once; the queue removes the places of dead ones itself. */
export async function removeEndedDeliveries(context: Context, before: Date): Promise<void> {
  await context.db.run(
    `DELETE FROM deliveries WHERE tenant_id = $1 AND id IN (
       SELECT id FROM deliveries WHERE tenant_id = $1 AND ended_at < $2 ORDER BY ended_at LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
    [context.tenantId, before],
  );
}
