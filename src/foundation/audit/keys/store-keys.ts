/** SQL of the keys of a tenant's log: the table `log_keys`. */
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/types.ts';
import { fixed, sql } from '../../../lib/sql.ts';

/** The place of a key's secret (`log_keys.source`): in the database, or in the operator's file. */
export type KeySource = 'TENANT' | 'FILE';

/** One generation of a log's key. */
export interface LogKeyRow {
  readonly generation: number;
  readonly source: KeySource;
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer;
  /** Null where the secret is in the operator's file. */
  readonly seed: Buffer | null;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
  /** False in the transaction that made it. */
  readonly isCommitted: boolean;
}

const columns =
  fixed(`k.generation, k.source, k.public_key AS "publicKey", k.seed, k.created_at AS "createdAt", k.retired_at AS "retiredAt",
  k.xact IS DISTINCT FROM pg_current_xact_id_if_assigned() AS "isCommitted"`);

/** All generations, the newest first. */
export function listLogKeys({ db, tenantId }: Context): Promise<LogKeyRow[]> {
  return db.rows<LogKeyRow>(sql`SELECT ${columns} FROM log_keys k WHERE k.tenant_id = ${tenantId} ORDER BY k.generation DESC`);
}

/** The same of every tenant, each tenant's one after the other. */
export function listAllLogKeys(system: Db): Promise<(LogKeyRow & { readonly tenantId: string })[]> {
  return system.rows(sql`SELECT k.tenant_id AS "tenantId", ${columns} FROM list_all_log_keys() k`);
}

/** Adds a generation; where somebody else added it at the same moment, theirs stays. */
export async function insertLogKey(
  { db, tenantId, now }: Context,
  key: { readonly generation: number; readonly source: KeySource; readonly publicKey: Buffer; readonly seed: Buffer | null },
): Promise<boolean> {
  const added = await db.run(
    sql`INSERT INTO log_keys (tenant_id, generation, source, public_key, seed, created_at)
     VALUES (${tenantId}, ${key.generation}, ${key.source}, ${key.publicKey}::bytea, ${key.seed}::bytea, ${now}) ON CONFLICT DO NOTHING`,
  );
  return added === 1;
}

/** Retires the generations before this one. */
export async function updateRetired({ db, tenantId, now }: Context, generation: number): Promise<void> {
  await db.run(
    sql`UPDATE log_keys SET retired_at = ${now} WHERE tenant_id = ${tenantId} AND generation < ${generation} AND retired_at IS NULL`,
  );
}
