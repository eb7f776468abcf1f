/** SQL of the keys by which secrets of a tenant are sealed: the table `tenant_keys`. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** A key as it is kept. */
export interface TenantKeyRow {
  readonly no: number;
  readonly kekId: string;
  readonly wrapped: string;
}

/** Lists all keys, the one in use first. */
export function listTenantKeys({ db, tenantId }: Pick<Context, 'db' | 'tenantId'>): Promise<TenantKeyRow[]> {
  return db.rows<TenantKeyRow>(sql`SELECT no, kek_id AS "kekId", wrapped FROM tenant_keys WHERE tenant_id = ${tenantId} ORDER BY no DESC`);
}

/** Adds a key; where somebody else added it at the same moment, theirs stays. */
export async function insertTenantKey({ db, tenantId, now }: Context, key: TenantKeyRow): Promise<void> {
  await db.run(
    sql`INSERT INTO tenant_keys (tenant_id, no, kek_id, wrapped, created_at)
      VALUES (${tenantId}, ${key.no}, ${key.kekId}, ${key.wrapped}, ${now}) ON CONFLICT DO NOTHING`,
  );
}
