/**
 * Data other modules may read of the revocations: a view for each interface, made by a migration, and functions. A column that is renamed in its
 * table keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import type { Context } from '../../context.ts';

/**
 * `revocations_public`: access that is to be removed, and how far that is. `revocations_pkey` answers by id, `revocations_by_review` by
 * review, `revocations_by_task` by task.
 */
export interface RevocationPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly review_id: string;
  readonly certify_task_id: string;
  readonly revoke_task_id: string;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly account_id: string;
  readonly user_id: string | null;
  readonly state: string;
  readonly state_at: Date;
  readonly actor_id: string;
  readonly sync_id: string;
  readonly revision: number | null;
  readonly note: string;
  readonly source_no: number | null;
  readonly requested_at: Date | null;
  readonly started_at: Date | null;
  readonly due_at: Date | null;
  readonly overdue_count: number;
  readonly claimed_by_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly principal_kind: string;
  readonly requested_by_id: string;
  readonly description: string;
  readonly claimed_issuer_id: string;
  readonly actor_issuer_id: string;
  readonly claimed_at: Date | null;
}

/**
 * Returns removals, whole, as a FROM item: later modules name the view themselves, earlier ones are given it (src/slots.ts). `revocations_by_task` and
 * `revocations_by_revoke_task` answer.
 */
export const removalsItem = 'revocations_public';

/**
 * Locks the removals that followed from denials of these tasks, behind the tasks: nobody claims one while its denial is amended. `revocations_by_task`
 * answers.
 */
export async function lockRemovals(context: Context, taskIds: readonly string[]): Promise<void> {
  await context.db.rows(
    `SELECT v.id FROM revocations v WHERE v.tenant_id = $1 AND v.certify_task_id = ANY ($2) AND v.certify_task_id <> '' ORDER BY v.id FOR UPDATE`,
    [context.tenantId, taskIds],
  );
}
