/** SQL of the table `legal_holds`. */
import type { Context } from '../../context.ts';
import { allSql, fixed, sql } from '../../lib/sql.ts';

/** A legal hold. */
export interface HoldRow {
  readonly id: string;
  /** '' for one on the whole tenant. */
  readonly reviewId: string;
  readonly reason: string;
  readonly setById: string;
  readonly setAt: Date;
  readonly liftReason: string;
  readonly liftAskedById: string;
  readonly liftedById: string;
  readonly liftedAt: Date | null;
}

const columns =
  fixed(`h.id, h.review_id AS "reviewId", h.reason, h.set_by_id AS "setById", h.set_at AS "setAt", h.lift_reason AS "liftReason",
  h.lift_asked_by_id AS "liftAskedById", h.lifted_by_id AS "liftedById", h.lifted_at AS "liftedAt"`);

/** Waits until nobody who looked for holds is at work, or, unless `alone`, until nobody sets one; holds until the transaction ends. */
export async function lockHoldTable(context: Context, alone: boolean): Promise<void> {
  const lock = alone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await context.db.rows(`SELECT ${lock}(hashtextextended($1, 5))`, [`countersign.legal-holds.${context.tenantId}`]);
}

/** Adds a hold. */
export async function insertHold(context: Context, row: Pick<HoldRow, 'id' | 'reviewId' | 'reason'>): Promise<void> {
  await context.db.run(
    sql`INSERT INTO legal_holds (tenant_id, id, review_id, reason, set_by_id, set_at)
      VALUES (${context.tenantId}, ${row.id}, ${row.reviewId}, ${row.reason}, ${context.actor.userId}, ${context.now})`,
  );
}

/** The hold with this id, lifted or not. */
export function findHold(context: Context, id: string): Promise<HoldRow | undefined> {
  return context.db.maybe<HoldRow>(sql`SELECT ${columns} FROM legal_holds h WHERE h.tenant_id = ${context.tenantId} AND h.id = ${id}`);
}

/** The first hold that stands on the tenant or on one of these reviews. */
export function findStanding(context: Context, reviewIds: readonly string[]): Promise<HoldRow | undefined> {
  return context.db.maybe<HoldRow>(
    sql`SELECT ${columns} FROM legal_holds h WHERE h.tenant_id = ${context.tenantId} AND h.lifted_at IS NULL
      AND h.review_id = ANY (${['', ...reviewIds]}) ORDER BY h.review_id, h.id LIMIT 1`,
  );
}

/** Holds to list. */
export interface HoldFilter {
  readonly reviewId: string;
  readonly standingOnly: boolean;
}

/** A page of holds, the newest first; `before` is the last id of the page before, '' at the start. */
export function listHolds(context: Context, { reviewId, standingOnly }: HoldFilter, before: string, limit: number): Promise<HoldRow[]> {
  const where = [
    sql`h.tenant_id = ${context.tenantId}`,
    ...(before === '' ? [] : [sql`h.id < ${before}`]),
    ...(reviewId === '' ? [] : [sql`h.review_id = ${reviewId}`]),
    ...(standingOnly ? [sql`h.lifted_at IS NULL`] : []),
  ];
  return context.db.rows<HoldRow>(sql`SELECT ${columns} FROM legal_holds h WHERE ${allSql(where)} ORDER BY h.id DESC LIMIT ${limit}`);
}

/** Lifts a hold and returns whether it stood. */
export async function updateLifted(
  context: Context,
  id: string,
  by: Pick<HoldRow, 'liftReason' | 'liftAskedById' | 'liftedById'>,
): Promise<boolean> {
  const lifted = await context.db.run(
    sql`UPDATE legal_holds SET lift_reason = ${by.liftReason}, lift_asked_by_id = ${by.liftAskedById}, lifted_by_id = ${by.liftedById},
        lifted_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${id} AND lifted_at IS NULL`,
  );
  return lifted > 0;
}

/** Returns the reviews with a hold of their own; '' among them stands for the tenant. */
export function listHeldIds(context: Context): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT DISTINCT h.review_id AS id FROM legal_holds h WHERE h.tenant_id = ${context.tenantId} AND h.lifted_at IS NULL`,
  );
}
