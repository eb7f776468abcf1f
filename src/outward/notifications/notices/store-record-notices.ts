/** SQL of notices about records of people whom nobody knows. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getSuperAdminsSql } from './store-removal-notices.ts';
import { insertSubjectNotices, type SubjectNotice } from './store-subject-notices.ts';

/** A notice for each Super Administrator who had none after `since`. */
export function insertNoticesForRecords(context: Context, notice: SubjectNotice, since: Date): Promise<number> {
  const { tenantId } = context;
  return insertSubjectNotices(
    context,
    notice,
    sql`SELECT ${tenantId} AS subject_id, '' AS review_id, s.user_id AS person_id FROM (${getSuperAdminsSql(context)}) s
      WHERE NOT EXISTS (SELECT FROM mail_outbox o WHERE o.tenant_id = ${tenantId} AND o.kind = ${notice.kind} AND o.subject_id = ${tenantId}
        AND o.person_id = s.user_id AND o.created_at > ${since})`,
  );
}
