/**
 * SQL about the owners of templates: the table `template_owners`.
 */
import type { Context } from '../../../context.ts';
import type { OwnerRow } from '../../reviews/index.ts';

/** A page of the owners of a template by user id. */
export function listOwners(context: Context, templateId: string, after: string, limit: number): Promise<OwnerRow[]> {
  return context.db.rows<OwnerRow>(
    `SELECT o.user_id AS "userId", u.display_name AS "displayName", u.email FROM template_owners o
     JOIN users_public u ON u.tenant_id = $1 AND u.id = o.user_id
     WHERE o.tenant_id = $1 AND o.template_id = $2 AND o.user_id > $3 ORDER BY o.user_id LIMIT $4`,
    [context.tenantId, templateId, after, limit],
  );
}

/** Makes these the owners of a template: adds who is missing, removes who is too many. */
export async function updateOwners(context: Context, templateId: string, userIds: readonly string[]): Promise<void> {
  const values = [context.tenantId, templateId, userIds];
  await context.db.run('DELETE FROM template_owners WHERE tenant_id = $1 AND template_id = $2 AND user_id <> ALL ($3)', values);
  await context.db.run(
    `INSERT INTO template_owners (tenant_id, template_id, user_id, created_at)
     SELECT $1, $2, u.id, $4 FROM unnest($3::text[]) AS u (id) ON CONFLICT DO NOTHING`,
    [...values, context.now],
  );
}
