/** Data other modules may read of templates: functions. */
import type { Context } from '../../context.ts';
import { maySeeTemplate } from './record/index.ts';

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
