/**
 * Removing the samples: all that is marked goes in one transaction, or nothing. Rows stay where evidence and events name them, as for anything
 * that is deleted; nobody finds them in a list any more. What was sealed is not touched.
 */
import { AppError } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { deleteMonitor } from '../conflicts/index.ts';
import { lockRoles, removePeople } from '../../foundation/directory/index.ts';
import { deleteApp } from '../../inventory/grants/index.ts';
import { deleteReview } from '../reviews/index.ts';
import { deleteEmptySource } from '../../inventory/sources/index.ts';
import { listObstacles } from './obstacles.ts';
import { listEmptiedSources, listSamples, removeMarks, type Samples } from './store.ts';

/** Number of each. */
export type Counts = Samples['counts'];

/** Reason in the tombstone of the review. */
const reason = 'The samples were removed.';

/** Removes the samples and returns how many they were. FAILED_PRECONDITION where none are loaded, and, naming what, where other data depends on them. */
export function removeSamples(context: Context): Promise<Counts> {
  return inTransaction(context, async (inside) => {
    // Two removals at once, or a removal and an import of people, go one after the other.
    await lockRoles(inside);
    const samples = await listSamples(inside);
    const { userIds, appIds, reviewIds, monitorIds, counts } = samples;
    if (Object.values(counts).every((count) => count === 0)) {
      throw new AppError('FAILED_PRECONDITION', 'No samples are loaded, so there is nothing to remove.');
    }
    const obstacles = await listObstacles(inside, samples);
    if (obstacles.length > 0) {
      throw new AppError('FAILED_PRECONDITION', `The samples cannot be removed yet. ${obstacles.join(' ')}`);
    }
    // A handful of each: the loading makes one review, one monitor and five apps.
    for (const id of reviewIds) {
      await deleteReview(inside, id, reason);
    }
    for (const id of monitorIds) {
      await deleteMonitor(inside, id);
    }
    for (const id of appIds) {
      await deleteApp(inside, id);
    }
    await removePeople(inside, userIds);
    const sourceIds = await listEmptiedSources(inside, userIds);
    for (const id of sourceIds) {
      await deleteEmptySource(inside, id);
    }
    await removeMarks(inside);
    await recordEvent(inside, {
      kind: 'samples.removed',
      targetId: inside.tenantId,
      data: { ...counts, userIds: [...userIds], sourceIds },
    });
    return counts;
  });
}
