/** SQL that finds the apps of a scope: those that its lists name, and those of a snapshot. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** The apps of a snapshot. */
export function listSnapshotApps(context: Context, reviewId: string): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT DISTINCT e.app_id AS id FROM review_entitlements e WHERE e.tenant_id = ${context.tenantId} AND e.review_id = ${reviewId}`,
  );
}

/** The apps that the lists of a draft name. */
export function listChosenApps(context: Context, reviewId: string): Promise<string[]> {
  const { tenantId } = context;
  return context.db.column<string>(
    sql`SELECT s.app_id AS id FROM review_setup_entitlements s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}
      UNION SELECT t.app_id FROM review_setup_resource_types t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}
      UNION SELECT x.app_id FROM scope_entries x
        WHERE x.tenant_id = ${tenantId} AND x.subject_id = ${reviewId} AND x.list IN ('RESOURCE', 'SCOPE_ROLE') AND x.app_id <> ''`,
  );
}
