/** SQL of the table `samples`: what is marked, and what of it is still there. What depends on it is store-obstacles.ts. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** Kind of sample: `samples.kind`. */
export type Kind = 'USER' | 'APP' | 'REVIEW' | 'MONITOR';

/** The samples that are still there. Reviews without closed ones, which stay as evidence. */
export interface Samples {
  readonly userIds: readonly string[];
  readonly appIds: readonly string[];
  readonly reviewIds: readonly string[];
  readonly monitorIds: readonly string[];
  readonly counts: { readonly people: number; readonly apps: number; readonly reviews: number; readonly monitors: number };
}

/** Objects of a kind that exist: a selection of their ids. Of people only those with the address of a sample, in a domain that nobody can own. */
const existing: Readonly<Record<Kind, (tenantId: string) => Sql>> = {
  USER: (tenantId) =>
    sql`SELECT id FROM users_public WHERE tenant_id = ${tenantId} AND status <> 'DELETED' AND email_key LIKE '%.sample@example.com'`,
  APP: (tenantId) => sql`SELECT id FROM apps_public WHERE tenant_id = ${tenantId} AND deleted_at IS NULL`,
  REVIEW: (tenantId) => sql`SELECT id FROM reviews_public WHERE tenant_id = ${tenantId} AND state NOT IN ('CLOSED', 'DELETED')`,
  MONITOR: (tenantId) => sql`SELECT id FROM monitors_public WHERE tenant_id = ${tenantId} AND deleted_at IS NULL`,
};

/** Lists the ids that cannot be marked as samples of this kind. */
export function listUnfit(context: Context, kind: Kind, ids: readonly string[]): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT i.id FROM unnest(${ids}::text[]) AS i (id)
      WHERE NOT EXISTS (SELECT FROM (${existing[kind](context.tenantId)}) AS e WHERE e.id = i.id COLLATE "C")`,
  );
}

/** Marks objects and returns how many were not marked before. */
export function insertMarks(context: Context, kind: Kind, ids: readonly string[]): Promise<number> {
  return context.db.run(
    sql`INSERT INTO samples (tenant_id, kind, object_id, marked_at)
      SELECT DISTINCT ${context.tenantId}, ${kind}::text, i.id, ${context.now}::timestamptz FROM unnest(${ids}::text[]) AS i (id) ON CONFLICT DO NOTHING`,
  );
}

const idsOf = (tenantId: string, kind: Kind): Sql =>
  sql`ARRAY(SELECT s.object_id FROM samples s WHERE s.tenant_id = ${tenantId} AND s.kind = ${kind}
    AND s.object_id IN (${existing[kind](tenantId)}) ORDER BY s.object_id)`;

/** The samples that are still there, by kind; in order of their ids. */
export async function listSamples({ db, tenantId }: Context): Promise<Samples> {
  const found = await db.one<Omit<Samples, 'counts'>>(
    sql`SELECT ${idsOf(tenantId, 'USER')} AS "userIds", ${idsOf(tenantId, 'APP')} AS "appIds", ${idsOf(tenantId, 'REVIEW')} AS "reviewIds",
      ${idsOf(tenantId, 'MONITOR')} AS "monitorIds"`,
  );
  const { userIds, appIds, reviewIds, monitorIds } = found;
  return { ...found, counts: { people: userIds.length, apps: appIds.length, reviews: reviewIds.length, monitors: monitorIds.length } };
}

/** Sources of people whose files named some of these people, and nobody else who is still there. */
export function listEmptiedSources({ db, tenantId }: Context, userIds: readonly string[]): Promise<string[]> {
  const reported = sql`SELECT FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.source = c.id`;
  return db.column<string>(
    sql`SELECT c.id FROM sources_public c
      WHERE c.tenant_id = ${tenantId} AND c.app_id = '' AND c.kind = 'FILE' AND c.deleted_at IS NULL
        AND EXISTS (${reported} AND u.id = ANY (${userIds})) AND NOT EXISTS (${reported} AND u.id <> ALL (${userIds}) AND u.status <> 'DELETED')
      ORDER BY c.id`,
  );
}

/** Takes all marks away. */
export async function removeMarks({ db, tenantId }: Context): Promise<void> {
  await db.run(sql`DELETE FROM samples WHERE tenant_id = ${tenantId}`);
}
