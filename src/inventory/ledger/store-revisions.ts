/**
 * SQL of the inventory's revisions: what made each. Their numbers are a counter of the tenant.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Cause of a revision: a file, a person manually, an identity provider, or the end of a grant's time (`inventory_revisions.cause`). */
export type RevisionCause = 'IMPORT' | 'MANUAL' | 'SCIM' | 'EXPIRY';

/** Writes down what makes a revision. */
export async function insertRevision(
  context: Context,
  revision: number,
  of: { readonly appId: string; readonly cause: RevisionCause; readonly syncId: string },
): Promise<void> {
  await context.db.run(
    sql`INSERT INTO inventory_revisions (tenant_id, revision, app_id, cause, sync_id, actor_id, made_at)
      VALUES (${context.tenantId}, ${revision}, ${of.appId}, ${of.cause}, ${of.syncId}, ${context.actor.userId}, ${context.now})`,
  );
}
