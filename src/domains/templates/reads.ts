/** Data other modules may read of templates: functions. */
import type { Context } from '../../context.ts';

/** True if there is, or ever was, a template with this id. */
export async function hasTemplate(context: Context, templateId: string): Promise<boolean> {
  const row = await context.db.maybe('SELECT t.id FROM review_templates t WHERE t.tenant_id = $1 AND t.id = $2', [
    context.tenantId,
    templateId,
  ]);
  return row !== undefined;
}
