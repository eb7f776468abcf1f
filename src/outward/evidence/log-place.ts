/** The place of a bundle in the log: the checkpoint its events lead to, and coming back to it where the log went on. */
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { findLastOfReview, listEpochs, listNamedEntries, listReviewEntries } from '../../foundation/audit/index.ts';
import { findEpoch, signHead } from '../../foundation/log-proofs/index.ts';
import { removeChunks } from '../reports/index.ts';
import type { BundleCursor, BundleMark } from './bundle-cursor.ts';
import { listGrounds } from './list-grounds.ts';
import { noteNumber } from './write-blocks.ts';

/** Times the members of the log are written again because the review got another event meanwhile. */
const maxRepeats = 20;

/** Throws FAILED_PRECONDITION for a review that has events in an earlier epoch of the log: a bundle has one tree. */
export async function requireOneEpoch(context: Context, reviewId: string): Promise<void> {
  const open = (await listEpochs(context)).findLast(({ state }) => state === 'OPEN');
  const [first] = await listReviewEntries(context, reviewId, 0, 1);
  if (open !== undefined && first !== undefined && first.position < open.base) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The log was restarted since this access review began: its first event is at position ${first.position}, and epoch ${open.epoch} of the log begins at ${open.base}. Evidence holds the events of one epoch, so none can be made. Proofs of its events remain: \`countersign log prove\`.`,
    );
  }
}

/** The place with the checkpoint of the whole log; undefined while an event of the review is not sealed yet. */
export async function beginLog(context: Context, reviewId: string, cursor: BundleCursor): Promise<BundleCursor | undefined> {
  const lastId = await findLastOfReview(context, reviewId);
  if (lastId !== undefined && (await listNamedEntries(context, [lastId], [])).length === 0) {
    return undefined;
  }
  await requireOneEpoch(context, reviewId);
  const epoch = await findEpoch(context, 0);
  const { size, note } = await signHead(context, epoch);
  const grounds = await listGrounds(context, reviewId, { from: epoch.base, end: epoch.base + size });
  const { zip, notes, member, counts } = cursor;
  return {
    ...cursor,
    log: { epoch: epoch.epoch, origin: epoch.origin, base: epoch.base, size, note, grounds },
    lastPosition: -1,
    beforeLog: { zip, notes, member, counts } satisfies BundleMark,
  };
}

/** Takes the members of the log back, to write them as it is now. */
export async function returnToLog(context: Context, reportId: string, cursor: BundleCursor): Promise<BundleCursor> {
  const { beforeLog } = cursor;
  if (beforeLog === null || cursor.repeats >= maxRepeats) {
    throw new AppError('CONFLICT', 'The access review got further events while its evidence was made. Ask for the evidence again.');
  }
  await removeChunks(context, reportId, 'from', beforeLog.zip.pieces);
  await removeChunks(context, reportId, 'before', noteNumber(beforeLog.notes) + 1);
  return {
    ...cursor,
    ...beforeLog,
    stage: 'members',
    after: null,
    blocks: 0,
    log: null,
    sealId: '',
    stampLooks: 0,
    repeats: cursor.repeats + 1,
  };
}
