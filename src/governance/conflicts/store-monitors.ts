/** SQL of the table `conflict_monitors`. Their entitlements are store-entitlements.ts, what they find is store-detect.ts. */
import type { NotificationConfigJson } from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import type { Context } from '../../context.ts';
import { allSql, fixed, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import { containsTextOrIs } from '../../foundation/search/index.ts';

/** Client's part of a monitor. */
export interface MonitorContent {
  readonly displayName: string;
  readonly description: string;
  readonly negateGroupB: boolean;
  readonly notificationConfig: NotificationConfigJson | null;
}

/** A monitor. */
export interface MonitorRow extends MonitorContent {
  readonly id: string;
  readonly enabled: boolean;
  readonly setAId: string;
  readonly setBId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `m.id, m.display_name AS "displayName", m.description, m.enabled, m.negate_group_b AS "negateGroupB", m.set_a_id AS "setAId",
  m.set_b_id AS "setBId", m.notification_config AS "notificationConfig", m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

/** The monitor with this id; undefined for a deleted one. */
export function findMonitor(context: Context, id: string): Promise<MonitorRow | undefined> {
  return context.db.maybe<MonitorRow>(
    sql`SELECT ${fixed(columns)} FROM conflict_monitors m WHERE m.tenant_id = ${context.tenantId} AND m.id = ${id} AND m.deleted_at IS NULL`,
  );
}

/** The same, locked until the transaction ends: no detection looks at it meanwhile. */
export function lockMonitor(context: Context, id: string): Promise<MonitorRow | undefined> {
  return context.db.maybe<MonitorRow>(
    sql`SELECT ${fixed(columns)} FROM conflict_monitors m WHERE m.tenant_id = ${context.tenantId} AND m.id = ${id} AND m.deleted_at IS NULL FOR UPDATE`,
  );
}

/** Monitor search; a member that is undefined filters nothing. */
export interface MonitorFilter {
  /** Its id, or words of the name, in any case and accents. */
  readonly query?: string | undefined;
}

const conditions: Conditions<MonitorFilter> = { query: containsTextOrIs('m.display_name', 'm.id') };

/** A page of monitors by id. A tenant has as many as somebody typed in, so a text is looked for in all of them. */
export function listMonitors(context: Context, filter: MonitorFilter, after: string, limit: number): Promise<MonitorRow[]> {
  const where = [
    sql`m.tenant_id = ${context.tenantId} AND m.id > ${after} AND m.deleted_at IS NULL`,
    ...listConditions(filter, conditions),
  ];
  return context.db.rows<MonitorRow>(
    sql`SELECT ${fixed(columns)} FROM conflict_monitors m WHERE ${allSql(where)} ORDER BY m.id LIMIT ${limit}`,
  );
}

/** The ids of enabled monitors, of these where some are given. */
export function listEnabledMonitors(context: Context, ids?: readonly string[]): Promise<string[]> {
  const among = ids === undefined ? sql`TRUE` : sql`m.id = ANY (${[...ids]})`;
  return context.db.column<string>(
    sql`SELECT m.id FROM conflict_monitors m WHERE m.tenant_id = ${context.tenantId} AND m.enabled AND m.deleted_at IS NULL AND ${among} ORDER BY m.id`,
  );
}

/** The same, kept as they are until the transaction ends: whoever changes one waits. */
export function lockEnabledMonitors(context: Context, ids?: readonly string[]): Promise<string[]> {
  const among = ids === undefined ? sql`TRUE` : sql`m.id = ANY (${[...ids]})`;
  return context.db.column<string>(
    sql`SELECT m.id FROM conflict_monitors m WHERE m.tenant_id = ${context.tenantId} AND m.enabled AND m.deleted_at IS NULL AND ${among}
      ORDER BY m.id FOR SHARE`,
  );
}

/** Adds a monitor, disabled. */
export async function insertMonitor(
  context: Context,
  ids: Pick<MonitorRow, 'id' | 'setAId' | 'setBId'>,
  content: MonitorContent,
): Promise<void> {
  const { tenantId, now } = context;
  const { displayName, description, negateGroupB, notificationConfig } = content;
  await context.db.run(
    sql`INSERT INTO conflict_monitors (tenant_id, id, display_name, description, negate_group_b, set_a_id, set_b_id, notification_config, created_at, updated_at)
      VALUES (${tenantId}, ${ids.id}, ${displayName}, ${description}, ${negateGroupB}, ${ids.setAId}, ${ids.setBId},
        ${notificationConfig === null ? null : JSON.stringify(notificationConfig)}::jsonb, ${now}, ${now})`,
  );
}

/** Gives a monitor this content. */
export async function updateMonitor(context: Context, id: string, content: MonitorContent): Promise<void> {
  const { displayName, description, negateGroupB, notificationConfig } = content;
  await context.db.run(
    sql`UPDATE conflict_monitors SET display_name = ${displayName}, description = ${description}, negate_group_b = ${negateGroupB},
        notification_config = ${notificationConfig === null ? null : JSON.stringify(notificationConfig)}::jsonb, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Enables or disables a monitor. */
export async function updateEnabled(context: Context, id: string, enabled: boolean): Promise<void> {
  await context.db.run(
    sql`UPDATE conflict_monitors SET enabled = ${enabled}, updated_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Marks a monitor deleted and disabled; its row stays, since alerts name it. */
export async function removeMonitor(context: Context, id: string): Promise<void> {
  const { tenantId, now } = context;
  await context.db.run(
    sql`UPDATE conflict_monitors SET enabled = false, deleted_at = ${now}, updated_at = ${now} WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}
