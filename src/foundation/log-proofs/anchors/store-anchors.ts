/** SQL of anchors: the table `log_anchors`, and the places in `log_settings`. */
import type { Context } from '../../../context.ts';
import { fixed, sql } from '../../../lib/sql.ts';
import type { AnchorKind, ChosenPlace } from './places.ts';

/** A place, as anchors name it. */
export interface PlaceKey {
  readonly kind: AnchorKind;
  /** The URL; '' for the operator's folder. */
  readonly place: string;
}

/** A checkpoint that a place holds. */
export interface AnchorRow extends PlaceKey {
  readonly id: string;
  readonly epoch: number;
  readonly size: number;
  readonly root: Buffer;
  readonly anchoredAt: Date;
  readonly vouchedAt: Date | null;
  readonly proof: Buffer | null;
}

/** A checkpoint on its way. */
export interface AnchorOnItsWay extends PlaceKey {
  readonly id: string;
  readonly error: string;
  readonly failingSince: Date | null;
  readonly toldAt: Date | null;
}

const held = `a.id, a.kind, a.place, a.epoch, a.size, a.root, a.anchored_at AS "anchoredAt", a.vouched_at AS "vouchedAt", a.proof`;
const underWay = `a.id, a.kind, a.place, a.error, a.failing_since AS "failingSince", a.told_at AS "toldAt"`;

/** The places a tenant chose. */
export async function listChosenPlaces({ db, tenantId }: Context): Promise<readonly ChosenPlace[]> {
  return (await db.maybeValue<readonly ChosenPlace[]>('SELECT s.anchors FROM log_settings s WHERE s.tenant_id = $1', [tenantId])) ?? [];
}

/** Sets them. */
export async function updateChosenPlaces({ db, tenantId, now }: Context, places: readonly ChosenPlace[]): Promise<void> {
  await db.run(
    sql`INSERT INTO log_settings (tenant_id, anchors, updated_at) VALUES (${tenantId}, ${JSON.stringify(places)}::jsonb, ${now})
      ON CONFLICT (tenant_id) DO UPDATE SET anchors = excluded.anchors, updated_at = excluded.updated_at`,
  );
}

/** Checkpoints that places hold, behind one by its id. */
export function listAnchors({ db, tenantId }: Context, after: string, limit: number): Promise<AnchorRow[]> {
  return db.rows<AnchorRow>(
    `SELECT ${held} FROM log_anchors a WHERE a.tenant_id = $1 AND a.id > $2 AND a.anchored_at IS NOT NULL ORDER BY a.id LIMIT $3`,
    [tenantId, after, limit],
  );
}

/** Checkpoints of an epoch with more than `after` leaves and at most `size` that places hold, the smallest first. */
export function listAnchorsOf(
  { db, tenantId }: Context,
  epoch: number,
  { after, size, limit }: { readonly after: number; readonly size: number; readonly limit: number },
): Promise<Pick<AnchorRow, 'kind' | 'place' | 'size' | 'root' | 'anchoredAt'>[]> {
  return db.rows(
    `SELECT a.kind, a.place, a.size, a.root, a.anchored_at AS "anchoredAt" FROM log_anchors a
     WHERE a.tenant_id = $1 AND a.epoch = $2 AND a.size > $3 AND a.size <= $4 AND a.anchored_at IS NOT NULL ORDER BY a.size, a.id LIMIT $5`,
    [tenantId, epoch, after, size, limit],
  );
}

/** Checkpoints of an epoch with at most `size` leaves that places got since a moment, behind one by its id. */
export function listAnchorsSince(
  { db, tenantId }: Context,
  since: Date,
  { epoch, size }: { readonly epoch: number; readonly size: number },
  after: string,
  limit: number,
): Promise<AnchorRow[]> {
  return db.rows<AnchorRow>(
    sql`SELECT ${fixed(held)} FROM log_anchors a WHERE a.tenant_id = ${tenantId} AND a.id > ${after} AND a.epoch = ${epoch} AND a.size <= ${size}
      AND a.anchored_at >= ${since} ORDER BY a.id LIMIT ${limit}`,
  );
}

/** The newest checkpoint that each place holds. A tenant has few places, and each is found at the end of an index. */
export function listNewestAnchors({ db, tenantId }: Context, places: readonly PlaceKey[]): Promise<AnchorRow[]> {
  return db.rows<AnchorRow>(
    sql`SELECT n.* FROM unnest(${places.map(({ kind }) => kind)}::text[], ${places.map(({ place }) => place)}::text[]) AS p (kind, place)
      CROSS JOIN LATERAL (SELECT ${fixed(held)} FROM log_anchors a WHERE a.tenant_id = ${tenantId} AND a.kind = p.kind AND a.place = p.place AND a.anchored_at IS NOT NULL
        ORDER BY a.id DESC LIMIT 1) n`,
  );
}

/** Lists checkpoints on their way: one at most to each place. */
export function listOnTheirWay({ db, tenantId }: Context): Promise<AnchorOnItsWay[]> {
  return db.rows<AnchorOnItsWay>(`SELECT ${underWay} FROM log_anchors a WHERE a.tenant_id = $1 AND a.anchored_at IS NULL`, [tenantId]);
}

/** One that is on its way; undefined where it is no more. */
export function findOnItsWay({ db, tenantId }: Context, id: string): Promise<AnchorOnItsWay | undefined> {
  return db.maybe<AnchorOnItsWay>(`SELECT ${underWay} FROM log_anchors a WHERE a.tenant_id = $1 AND a.id = $2 AND a.anchored_at IS NULL`, [
    tenantId,
    id,
  ]);
}

/** Sends to a place, unless something is on its way there; false then. */
export async function insertOnItsWay({ db, tenantId, now }: Context, id: string, { kind, place }: PlaceKey): Promise<boolean> {
  const inserted = await db.run(
    sql`INSERT INTO log_anchors (tenant_id, id, kind, place, created_at) VALUES (${tenantId}, ${id}, ${kind}, ${place}, ${now})
      ON CONFLICT (tenant_id, kind, place) WHERE anchored_at IS NULL DO NOTHING`,
  );
  return inserted === 1;
}

/** Takes down that a place has it. */
export async function updateAnchored(
  { db, tenantId, now }: Context,
  id: string,
  row: Omit<AnchorRow, 'id' | 'kind' | 'place' | 'anchoredAt'>,
): Promise<void> {
  await db.run(
    sql`UPDATE log_anchors SET anchored_at = ${now}, epoch = ${row.epoch}, size = ${row.size}, root = ${row.root}::bytea,
        vouched_at = ${row.vouchedAt}::timestamptz, proof = ${row.proof}::bytea, error = '', failing_since = NULL
      WHERE tenant_id = ${tenantId} AND id = ${id} AND anchored_at IS NULL`,
  );
}

/** Takes down a failure; `toldAt` where it is told now. */
export async function updateFailing({ db, tenantId, now }: Context, id: string, error: string, toldAt: Date | null): Promise<void> {
  await db.run(
    sql`UPDATE log_anchors SET error = ${error}, failing_since = coalesce(failing_since, ${now}), told_at = ${toldAt}::timestamptz
      WHERE tenant_id = ${tenantId} AND id = ${id} AND anchored_at IS NULL`,
  );
}

/** Takes away what is on its way. */
export async function removeOnTheirWay({ db, tenantId }: Context, ids: readonly string[]): Promise<void> {
  await db.run(sql`DELETE FROM log_anchors WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]}::text[]) AND anchored_at IS NULL`);
}
