/** SQL of notices about sources: who learns of what is wrong with one, and when they were told last. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import type { SourceKind } from './notices.ts';
import { getSuperAdminsSql } from './store-removal-notices.ts';
import { insertSubjectNotices, type SubjectNotice } from './store-subject-notices.ts';

/** A notice for the owners of a source, and where it has none for the Super Administrators. */
export function insertNoticesForSource(context: Context, notice: SubjectNotice, sourceId: string): Promise<number> {
  const { tenantId } = context;
  const source = sql`SELECT c.app_id, c.id FROM sources_public c WHERE c.tenant_id = ${tenantId} AND c.id = ${sourceId}`;
  return insertSubjectNotices(
    context,
    notice,
    sql`WITH owners AS (SELECT w.user_id FROM (${getOwnerPeopleSql(context, 'source', source)}) w)
      SELECT ${sourceId} AS subject_id, '' AS review_id, o.user_id AS person_id FROM owners o
      UNION SELECT ${sourceId}, '', s.user_id FROM (${getSuperAdminsSql(context)}) s WHERE NOT EXISTS (SELECT FROM owners)`,
  );
}

/** Finds when somebody was last told each kind of thing about a source; `mail_outbox_once` answers. */
export async function listLastTold(context: Context, sourceId: string, kinds: readonly SourceKind[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await context.db.rows<{ kind: string; at: Date }>(
    sql`SELECT o.kind, max(o.created_at) AS at FROM mail_outbox o
      WHERE o.tenant_id = ${context.tenantId} AND o.kind = ANY (${[...kinds]}) AND o.subject_id = ${sourceId} GROUP BY o.kind`,
  );
  return new Map(rows.map(({ kind, at }) => [kind, at]));
}
