/**
 * Data other modules may read of records of people: a piece of SQL. `person_records_by_email`, `person_records_by_employee_id` and
 * `person_records_by_username` answer by key.
 */
import { type Sql, sql } from '../../lib/sql.ts';

/**
 * Selects what live records say of the people whose they are: `id`, `email_key`, `employee_id` and `username_key`, '' for what one does not say. What
 * a source says that may not change the person, or that is deleted, counts for nothing. `person_records_by_email`, `person_records_by_employee_id` and
 * `person_records_by_username` answer by key, `person_records_by_user` by person.
 */
export function getRecordKeysSql(tenantId: string): Sql {
  return sql`(SELECT k.user_id AS id, k.email_key, k.employee_id, k.username_key FROM person_records k
    WHERE k.tenant_id = ${tenantId} AND k.state = 'LIVE' AND k.is_heard AND k.user_id IS NOT NULL
      AND k.source_id NOT IN (SELECT d.id FROM sources_public d WHERE d.tenant_id = ${tenantId} AND d.deleted_at IS NOT NULL))`;
}
