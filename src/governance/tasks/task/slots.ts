/** Slot of tasks for later modules. */
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../lib/sql.ts';
import { createSlot } from '../../../lib/slot.ts';

/** Later modules' answers. */
export interface TaskSlot {
  /**
   * A FROM item of reviews with `tenant_id`, `id`, `document`, `created_by_id`, `independence`, `prepared_revision`, `sources_frozen_at` and
   * `closed_at`, which their primary key answers.
   */
  readonly reviews: string;
  /** A FROM item of removals with all that `revocations_public` has, which indexes by either task answer. */
  readonly removals: string;
  /** Locks the removals that followed from denials of these tasks, behind the tasks: nobody claims one while its denial is amended. */
  readonly lockRemovals: (context: Context, taskIds: readonly string[]) => Promise<void>;
  /** Returns how often people were reminded of a review: `user_id` and `reminders`. */
  readonly getReminders: (tenantId: string, reviewId: string) => Sql;
}

/** Slot they fill. */
export const taskSlot = createSlot<TaskSlot>('tasks');
