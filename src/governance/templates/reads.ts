/** Data other modules may read of templates: functions and pieces of SQL. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { maySeeTemplate } from './record/index.ts';

/** Selects the owners of a template as `user_id`; `template_owners_pkey` answers. */
export function getTemplateOwnersSql(tenantId: string, templateId: Sql): Sql {
  return sql`SELECT o.user_id FROM template_owners o WHERE o.tenant_id = ${tenantId} AND o.template_id = ${templateId}`;
}

/** Selects the names of templates: `tenant_id`, `id`, `name` and `deleted_at`; `review_templates_pkey` answers by id. */
export function getTemplateNamesSql(): Sql {
  return sql`SELECT t.tenant_id, t.id, t.document ->> 'displayName' AS name, t.deleted_at FROM review_templates t`;
}

/** Tests if there is, or ever was, a template with this id; `review_templates_pkey` answers. */
export async function hasTemplate(context: Context, templateId: string): Promise<boolean> {
  const row = await context.db.maybe('SELECT t.id FROM review_templates t WHERE t.tenant_id = $1 AND t.id = $2', [
    context.tenantId,
    templateId,
  ]);
  return row !== undefined;
}

/** Tests if there is, or ever was, a template with this id and the caller may not know of it; `review_templates_pkey` and `template_owners_pkey` answer. */
export async function isHiddenTemplate(context: Context, templateId: string): Promise<boolean> {
  const row = await context.db.maybe<{ createdById: string; ownerIds: string[] }>(
    `SELECT t.created_by_id AS "createdById",
       ARRAY(SELECT o.user_id FROM template_owners o WHERE o.tenant_id = $1 AND o.template_id = t.id) AS "ownerIds"
     FROM review_templates t WHERE t.tenant_id = $1 AND t.id = $2`,
    [context.tenantId, templateId],
  );
  return row !== undefined && !maySeeTemplate(context.actor, row);
}
