/** Who was reminded of a review lately, by whatever way: of the review, by name or with everybody, or of one of its tasks. A second mail would say the same. */
import type { Context } from '../../../context.ts';
import { listRecent } from '../../../foundation/audit/index.ts';

/** Nobody is reminded of a review by people twice in this time. */
const pauseMs = 15 * 60_000;

/** Those who were reminded lately. */
export interface Reminded {
  /** True if a reminder went to this person, or to everybody but others. */
  has(userId: string): boolean;
  /** From when on somebody may be reminded again who may not now; undefined where nobody was reminded. */
  readonly again: Date | undefined;
}

/** Nobody was. */
export const nobodyReminded: Reminded = { has: () => false, again: undefined };

/** Reads who was reminded of a review in the last 15 minutes. */
export async function findReminded(context: Context, reviewId: string): Promise<Reminded> {
  const events = await listRecent(
    context,
    reviewId,
    ['review.reminded', 'task.reminded'] as const,
    new Date(context.now.getTime() - pauseMs),
  );
  const named = new Set<string>();
  const ofAll: ReadonlySet<string>[] = [];
  for (const { kind, data } of events) {
    if (kind === 'review.reminded' && data.userIds === undefined) {
      ofAll.push(new Set('leftOutUserIds' in data ? data.leftOutUserIds : []));
    }
    for (const id of data.userIds ?? []) {
      named.add(id);
    }
  }
  const last = events.at(-1);
  return {
    has: (userId) => named.has(userId) || ofAll.some((leftOut) => !leftOut.has(userId)),
    again: last === undefined ? undefined : new Date(new Date(last.occurredAt).getTime() + pauseMs),
  };
}
