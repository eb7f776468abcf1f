/** SQL that finds the signature of what became of an item. What that comes to is said in signed.ts. */
import { type Sql, sql } from '../../../lib/sql.ts';
import { getGivenSignatureSql } from '../../../foundation/signatures/index.ts';

/** Selects the submission of the last decision about the task `t`: the one that counts. */
const getLastSubmissionSql = (tenantId: string): Sql =>
  sql`(SELECT d.submission_id FROM task_actions d WHERE d.tenant_id = ${tenantId} AND d.task_id = t.id
    AND d.kind IN ('APPROVED', 'DENIED', 'AMENDED') ORDER BY d.step_generation DESC, d.id DESC LIMIT 1)`;

/** Selects the GivenSignature of the last decision about the task `t`, as JSON; null where that has none. */
export function getLastSignatureSql(tenantId: string): Sql {
  return getGivenSignatureSql(tenantId, getLastSubmissionSql(tenantId));
}

/** Selects the state of the closed task `t` that `judgeSigned` tells, as text. */
export function getSignedStateSql(tenantId: string): Sql {
  return sql`CASE WHEN t.end_reason <> 'DECIDED' OR t.decided_by_id IS NULL THEN 'NOT_BY_PERSON'
    WHEN ${getLastSignatureSql(tenantId)} IS NULL THEN 'NOT_SIGNED' ELSE 'SIGNED' END`;
}
