/** SQL of checkpoints: the table `log_checkpoints`, to which rows are added and in which none is ever changed. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** A checkpoint that was signed. */
export interface CheckpointRow {
  readonly epoch: number;
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
  readonly signedAt: Date;
}

const columns = 'c.epoch, c.size, c.root, c.note, c.signed_at AS "signedAt"';

/** The checkpoint of this size of an epoch's tree, or its largest one; undefined where there is none. */
export function findCheckpoint({ db, tenantId }: Context, epoch: number, size?: number): Promise<CheckpointRow | undefined> {
  return db.maybe<CheckpointRow>(
    `SELECT ${columns} FROM log_checkpoints c WHERE c.tenant_id = $1 AND c.epoch = $2 AND ($3::bigint IS NULL OR c.size = $3)
     ORDER BY c.size DESC LIMIT 1`,
    [tenantId, epoch, size ?? null],
  );
}

/** Checkpoints behind one, in the order of epoch and size. */
export function listCheckpoints(
  { db, tenantId }: Context,
  after: { readonly epoch: number; readonly size: number },
  limit: number,
): Promise<CheckpointRow[]> {
  return db.rows<CheckpointRow>(
    `SELECT ${columns} FROM log_checkpoints c WHERE c.tenant_id = $1 AND (c.epoch, c.size) > ($2::integer, $3::bigint)
     ORDER BY c.epoch, c.size LIMIT $4`,
    [tenantId, after.epoch, after.size, limit],
  );
}

/** Adds a checkpoint; one of this size that is there already stays. */
export async function insertCheckpoint({ db, tenantId }: Context, row: CheckpointRow): Promise<void> {
  await db.run(
    sql`INSERT INTO log_checkpoints (tenant_id, epoch, size, root, note, signed_at)
      VALUES (${tenantId}, ${row.epoch}, ${row.size}, ${row.root}::bytea, ${row.note}, ${row.signedAt}) ON CONFLICT DO NOTHING`,
  );
}
