/** Slot of tasks for later modules. */
import type { Context } from '../../../context.ts';
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
  /** Returns how often each of these people was reminded of a review; those who were not are left out. */
  readonly countReminders: (context: Context, reviewId: string, userIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

/** Slot they fill. */
export const taskSlot = createSlot<TaskSlot>('tasks');
