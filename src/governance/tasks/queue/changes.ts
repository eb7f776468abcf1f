/**
 * Others' changes to the caller's tasks of a review since a cursor. A cursor is a moment: each answer looks back a little behind it, for what was
 * committed late, so that a change may be listed twice and none is missed.
 */
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { idFloor } from '../../../wire/ids.ts';
import { standsFor, type TasksState } from '../task/index.ts';
import { listDelegable } from './queue.ts';
import { type ChangeRow, listChanges } from './store-changes.ts';
import { listRoutes } from '../policy-engine/index.ts';
import { getTaskReview, readPendingVersion } from '../decisions/index.ts';

const maxChanges = 1_000;
/** A change is committed within a minute of the moment it bears. */
const lookBackMs = 60_000;
/** The service's clock may have been set back a little since. */
const aheadMs = 300_000;
const oldestMs = 86_400_000;

/** Changes, and the cursor to go on from. */
export interface Changes {
  readonly rows: readonly ChangeRow[];
  readonly cursor: string;
  readonly state: TasksState;
  readonly reload: boolean;
  /** The version of what the caller staged in the review. */
  readonly pendingVersion: string;
}

/** The cursor of a moment. */
export function changesCursor(now: Date): string {
  return now.getTime().toString(36);
}

function readCursor(since: string, now: Date): number {
  const at = /^[0-9a-z]{1,12}$/.test(since) ? Number.parseInt(since, 36) : Number.NaN;
  if (!Number.isSafeInteger(at) || at > now.getTime() + aheadMs) {
    throw invalidField('since', 'must be the cursor of an earlier answer, or absent to get one');
  }
  return at;
}

/** The changes since a cursor, the caller's own too where `own`; '' gets one. NOT_FOUND for whoever may not know of the review. */
export async function readChanges(context: Context, reviewId: string, since: string, own = false): Promise<Changes> {
  const { actor, now } = context;
  const review = await getTaskReview(context, reviewId);
  const cursor = changesCursor(now);
  const pendingVersion = String(await readPendingVersion(context, reviewId));
  const none = { rows: [], cursor, state: review.state, reload: false, pendingVersion };
  if (since === '') {
    return none;
  }
  const at = readCursor(since, now);
  if (review.state !== 'OPEN') {
    return none;
  }
  if (at < now.getTime() - oldestMs) {
    return { ...none, reload: true };
  }
  const from = new Date(at - lookBackMs);
  const delegable = (actor.delegatorIds ?? []).length === 0 ? [] : listDelegable(await listRoutes(context, reviewId));
  const of = { reviewId, userIds: standsFor(actor), delegable };
  const rows = await listChanges(context, of, { at: from, id: idFloor(from), own }, maxChanges + 1);
  return { ...none, rows: rows.slice(0, maxChanges), reload: rows.length > maxChanges };
}
