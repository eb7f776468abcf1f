/** SQL of the table `conflict_entitlements`: what the two groups of monitors hold. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** A group of a monitor (`conflict_entitlements.side`). */
export type Side = 'A' | 'B';

/** An entitlement of a monitor. */
export interface BindingRow {
  readonly monitorId: string;
  readonly appId: string;
  readonly entitlementId: string;
  readonly side: Side;
  readonly createdAt: Date;
}

/** An entitlement by its app. */
export interface EntitlementRef {
  readonly appId: string;
  readonly entitlementId: string;
}

/** The entitlement of a monitor, whichever group has it. */
export function findBinding(
  context: Context,
  monitorId: string,
  { appId, entitlementId }: EntitlementRef,
): Promise<BindingRow | undefined> {
  return context.db.maybe<BindingRow>(
    sql`SELECT c.monitor_id AS "monitorId", c.app_id AS "appId", c.entitlement_id AS "entitlementId", c.side, c.created_at AS "createdAt"
      FROM conflict_entitlements c WHERE c.tenant_id = ${context.tenantId} AND c.monitor_id = ${monitorId} AND c.app_id = ${appId}
        AND c.entitlement_id = ${entitlementId}`,
  );
}

/** A page of the entitlements of a monitor by app and id. */
export function listBindings(context: Context, monitorId: string, after: EntitlementRef, limit: number): Promise<BindingRow[]> {
  return context.db.rows<BindingRow>(
    sql`SELECT c.monitor_id AS "monitorId", c.app_id AS "appId", c.entitlement_id AS "entitlementId", c.side, c.created_at AS "createdAt"
      FROM conflict_entitlements c WHERE c.tenant_id = ${context.tenantId} AND c.monitor_id = ${monitorId}
        AND (c.app_id, c.entitlement_id) > (${after.appId}, ${after.entitlementId})
      ORDER BY c.app_id, c.entitlement_id LIMIT ${limit}`,
  );
}

/** Counts entitlements of each group of a monitor. */
export async function countBindings(context: Context, monitorId: string): Promise<Readonly<Record<Side, number>>> {
  const rows = await context.db.rows<{ side: Side; count: number }>(
    sql`SELECT c.side, count(*)::integer AS count FROM conflict_entitlements c
      WHERE c.tenant_id = ${context.tenantId} AND c.monitor_id = ${monitorId} GROUP BY c.side`,
  );
  const of = (side: Side) => rows.find((row) => row.side === side)?.count ?? 0;
  return { A: of('A'), B: of('B') };
}

/** Adds an entitlement to a group; the caller has locked the monitor. */
export async function insertBinding(
  context: Context,
  monitorId: string,
  side: Side,
  { appId, entitlementId }: EntitlementRef,
): Promise<void> {
  await context.db.run(
    sql`INSERT INTO conflict_entitlements (tenant_id, monitor_id, app_id, entitlement_id, side, created_at)
      VALUES (${context.tenantId}, ${monitorId}, ${appId}, ${entitlementId}, ${side}, ${context.now})`,
  );
}

/** Takes an entitlement out of a monitor. */
export async function removeBinding(context: Context, monitorId: string, { appId, entitlementId }: EntitlementRef): Promise<void> {
  await context.db.run(
    sql`DELETE FROM conflict_entitlements c WHERE c.tenant_id = ${context.tenantId} AND c.monitor_id = ${monitorId} AND c.app_id = ${appId}
      AND c.entitlement_id = ${entitlementId}`,
  );
}
