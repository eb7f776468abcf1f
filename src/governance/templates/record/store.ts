/**
 * SQL about templates themselves: the table `review_templates`. Owners are in store-owners.ts, the lists of what was chosen in store-setup.ts, what
 * became of occurrences in store-occurrences.ts.
 */
import type { Context } from '../../../context.ts';
import { fixed, joinSql, sql } from '../../../lib/sql.ts';
import type { TemplateSettings } from './members.ts';

/** A template. */
export interface TemplateRow {
  readonly id: string;
  readonly document: TemplateSettings;
  readonly createdById: string;
  /** Count of the schedule's beginnings. */
  readonly scheduleGeneration: number;
  readonly nextNumber: number;
  readonly nextAt: Date | null;
  /** The tenant's time zone, where the schedule is computed in that; '' where it is in the template's own, or off. */
  readonly tenantZone: string;
  readonly reviewsMade: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Ids of the people who manage it, sorted. */
  readonly ownerIds: readonly string[];
}

const columns = `t.id, t.document, t.created_by_id AS "createdById", t.schedule_generation AS "scheduleGeneration",
  t.next_number AS "nextNumber", t.next_at AS "nextAt", t.tenant_zone AS "tenantZone", t.reviews_made AS "reviewsMade", t.created_at AS "createdAt",
  t.updated_at AS "updatedAt",
  ARRAY(SELECT o.user_id FROM template_owners o WHERE o.tenant_id = $1 AND o.template_id = t.id ORDER BY o.user_id) AS "ownerIds"`;

/** The template with this id, whoever may see it; undefined for a deleted one. */
export function findTemplate(context: Context, id: string): Promise<TemplateRow | undefined> {
  return context.db.maybe<TemplateRow>(
    `SELECT ${columns} FROM review_templates t WHERE t.tenant_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`,
    [context.tenantId, id],
  );
}

/** The same, locked until the transaction ends; read again behind the lock, so that its owners are those of then. */
export async function lockTemplate(context: Context, id: string): Promise<TemplateRow | undefined> {
  const locked = await context.db.maybe('SELECT t.id FROM review_templates t WHERE t.tenant_id = $1 AND t.id = $2 FOR UPDATE', [
    context.tenantId,
    id,
  ]);
  return locked === undefined ? undefined : findTemplate(context, id);
}

/** Templates a list shows: everybody's, or those this person owns (and those they created, where `created` says so). */
export type Visible = 'all' | { readonly userId: string; readonly created: boolean };

/** A page of templates by id, deleted ones left out. Somebody's own are found by index, however many others there are. */
export function listTemplates(context: Context, visible: Visible, after: string, limit: number): Promise<TemplateRow[]> {
  if (visible === 'all') {
    return context.db.rows<TemplateRow>(
      `SELECT ${columns} FROM review_templates t WHERE t.tenant_id = $1 AND t.id > $2 AND t.deleted_at IS NULL ORDER BY t.id LIMIT $3`,
      [context.tenantId, after, limit],
    );
  }
  return context.db.rows<TemplateRow>(
    `WITH mine AS (
       (SELECT o.template_id AS id FROM template_owners o
        JOIN review_templates x ON x.tenant_id = $1 AND x.id = o.template_id AND x.deleted_at IS NULL
        WHERE o.tenant_id = $1 AND o.user_id = $4 AND o.template_id > $2 ORDER BY o.template_id LIMIT $3)
       UNION
       (SELECT c.id FROM review_templates c WHERE $5 AND c.tenant_id = $1 AND c.created_by_id = $4 AND c.id > $2 AND c.deleted_at IS NULL
        ORDER BY c.id LIMIT $3))
     SELECT ${columns} FROM review_templates t WHERE t.tenant_id = $1 AND t.id IN (SELECT m.id FROM mine m) ORDER BY t.id LIMIT $3`,
    [context.tenantId, after, limit, visible.userId, visible.created],
  );
}

/** The templates with these ids; ids of nothing and of deleted ones are left out. */
export function listTemplatesByIds(context: Context, ids: readonly string[]): Promise<TemplateRow[]> {
  return context.db.rows<TemplateRow>(
    `SELECT ${columns} FROM review_templates t WHERE t.tenant_id = $1 AND t.id = ANY ($2) AND t.deleted_at IS NULL`,
    [context.tenantId, [...new Set(ids)]],
  );
}

/** Adds a template, created and last changed now. */
export async function insertTemplate(
  context: Context,
  template: { id: string; document: TemplateSettings; createdById: string },
): Promise<void> {
  await context.db.run(
    `INSERT INTO review_templates (tenant_id, id, document, created_by_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [context.tenantId, template.id, JSON.stringify(template.document), template.createdById, context.now],
  );
}

/** The members of a template that can be changed, and their columns. */
const changeable = {
  document: 'document',
  scheduleGeneration: 'schedule_generation',
  nextNumber: 'next_number',
  nextAt: 'next_at',
  tenantZone: 'tenant_zone',
  reviewsMade: 'reviews_made',
} as const;

/** Values to set; members left out (or undefined) stay. */
export type TemplateChange = { readonly [K in keyof typeof changeable]?: TemplateRow[K] | undefined };

/** Changes a template. The caller has locked it. Its time of change is now, unless this is the schedule going on. */
export async function updateTemplate(
  context: Context,
  id: string,
  change: TemplateChange,
  by: 'change' | 'schedule' = 'change',
): Promise<void> {
  const sets = (Object.keys(changeable) as (keyof typeof changeable)[]).flatMap((member) => {
    const value = member === 'document' && change.document !== undefined ? JSON.stringify(change.document) : change[member];
    return value === undefined ? [] : [sql`${fixed(changeable[member])} = ${value}`];
  });
  const all = by === 'change' ? [...sets, sql`updated_at = ${context.now}`] : sets;
  if (all.length > 0) {
    await context.db.run(sql`UPDATE review_templates SET ${joinSql(all)} WHERE tenant_id = ${context.tenantId} AND id = ${id}`);
  }
}

/** Marks a template deleted; nothing comes of it any more. */
export async function removeTemplate(context: Context, id: string): Promise<void> {
  await context.db.run('UPDATE review_templates SET deleted_at = $3, next_at = NULL WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    id,
    context.now,
  ]);
}

/** Ids of templates of which an occurrence has come, behind this id. */
export function listDueTemplates(context: Context, behind: string, limit: number): Promise<string[]> {
  return context.db.column<string>(
    'SELECT t.id FROM review_templates t WHERE t.tenant_id = $1 AND t.next_at <= $2 AND t.id > $3 ORDER BY t.id LIMIT $4',
    [context.tenantId, context.now, behind, limit],
  );
}

/** Time of the next occurrence of any template; undefined where none does. */
export async function findNextMoment(context: Context): Promise<Date | undefined> {
  const row = await context.db.one<{ at: Date | null }>(
    'SELECT min(t.next_at) AS at FROM review_templates t WHERE t.tenant_id = $1 AND t.next_at > $2',
    [context.tenantId, context.now],
  );
  return row.at ?? undefined;
}

/** Ids of templates whose schedule is in the tenant's time zone, but was computed in another than this. */
export function listTemplatesElsewhere(context: Context, timeZone: string, limit: number): Promise<string[]> {
  return context.db.column<string>(
    `SELECT t.id FROM review_templates t WHERE t.tenant_id = $1 AND t.tenant_zone NOT IN ('', $2) AND t.deleted_at IS NULL ORDER BY t.id LIMIT $3`,
    [context.tenantId, timeZone, limit],
  );
}
