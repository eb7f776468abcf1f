/** Signing what was prepared, and with it deciding: only while every task stands as it did. */
import { AppError, isAppError, orThrow } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import {
  ChangedError,
  type Components,
  endSignatures,
  findSignature,
  isOver,
  listPreparedAbout,
  lockPrepared,
  readAgain,
  signAndAct,
  type Signed,
  type SignatureRow,
  type Signing,
} from '../../../foundation/signatures/index.ts';
import { managesTask, refuseTasksState, seesAllTasks, standsFor, throwRefusal } from '../task/index.ts';
import type { Decision } from './decision.ts';
import { type Judged, judgeAll, type SubmissionResult } from './judge.ts';
import { describeDecision, type KeptDecision, readKept, readResults, standOf } from './prepare-submission.ts';
import { lockChanges, lockPendingVersion, mapPendingRows } from './store-pending.ts';
import { findTaskReview, lockSubmission, type SubmissionRow } from './store-submit.ts';
import { digestStaged, getTaskReview } from './submit.ts';
import { writeSubmission } from './write-submission.ts';

/** A submission that was signed. */
export interface SignedSubmission {
  readonly signature: SignatureRow;
  readonly submission: SubmissionRow;
  readonly results: readonly SubmissionResult[];
}

const unknownSignature = 'There is no signature with this id that you may know of.';

/** The signature; NOT_FOUND but for the signer, who manages the review, and who reads everything. */
export async function getSignature(context: Context, id: string): Promise<SignatureRow> {
  const { actor } = context;
  const signature = orThrow(await findSignature(context, id), 'NOT_FOUND', unknownSignature);
  if (signature.userId !== actor.userId && !seesAllTasks(actor)) {
    const review = await findTaskReview(context, signature.reviewId, standsFor(actor));
    if (review === undefined || !managesTask(actor, review)) {
      throw new AppError('NOT_FOUND', unknownSignature);
    }
  }
  return signature;
}

/** The signature that the actor is asked for; PERMISSION_DENIED for those who only know of it. */
export async function getOwnSignature(context: Context, id: string): Promise<SignatureRow> {
  const signature = await getSignature(context, id);
  if (signature.userId !== context.actor.userId) {
    throw new AppError('PERMISSION_DENIED', 'Only the person whom this signature is asked of gives it.');
  }
  return signature;
}

/** True where nobody staged anything else about these tasks since: what is signed is what the signer says last. */
async function isStagedAsSigned(context: Context, reviewId: string, decisions: readonly KeptDecision[]): Promise<boolean> {
  const staged = await mapPendingRows(
    context,
    reviewId,
    decisions.map(({ taskId }) => taskId),
  );
  return decisions.every(({ taskId, stagedAs = '' }) => {
    const row = staged.get(taskId);
    return stagedAs === (row === undefined ? '' : digestStaged(row));
  });
}

/** Releases before 0.4 kept null for no date. */
const readDate = (text: string | null | undefined): Date | undefined => (text === null || text === undefined ? undefined : new Date(text));

function readDecision({ comment = '', certifyUntil, stagedAt, stood: _stood, ...decision }: KeptDecision): Decision {
  return {
    ...decision,
    comment,
    certifyUntil: readDate(certifyUntil),
    stagedAt: readDate(stagedAt),
  };
}

/** Throws unless what is about to be decided is what the record says, whatever was done meanwhile to what was kept beside it. */
function requireSame({ record, commentSalts }: SignatureRow, judged: readonly Judged[]): void {
  const decisions = judged.flatMap(({ decision, task }) =>
    task === undefined ? [] : [describeDecision(decision, task, decision.actionId ?? '')],
  );
  if (!isOver(record, decisions, commentSalts)) {
    throw new ChangedError();
  }
}

async function decideSigned(context: Context, signed: Signed): Promise<SignedSubmission> {
  const { signature } = signed;
  const { reviewId, submissionId, idempotencyKey, requestDigest } = signature;
  const { decisions, submitted } = readKept(signature);
  const results = readResults(signature);
  await lockChanges(context, reviewId);
  const review = await getTaskReview(context, reviewId).catch((error: unknown) => {
    // Whoever stood in for somebody until they were about to sign is asked nothing there any more.
    throw isAppError(error, 'NOT_FOUND') ? new ChangedError() : error;
  });
  throwRefusal(refuseTasksState(review.state));
  await lockPendingVersion(context, reviewId);
  await lockPrepared(context, signed);
  if (idempotencyKey !== '' && (await lockSubmission(context, reviewId, idempotencyKey)) !== undefined) {
    throw new ChangedError();
  }
  const salted = decisions.map((kept) => ({
    ...readDecision(kept),
    commentSalt: signature.commentSalts[kept.actionId],
    stepUpTransactionId: signed.stepUpTransactionId,
  }));
  const judged = await judgeAll(context, reviewId, salted, { decidesNow: true });
  requireSame(signature, judged);
  const isAsSigned = judged.every(
    ({ task, verdict }, at) => verdict === 'proceed' && task !== undefined && standOf(task) === decisions[at]?.stood,
  );
  if (!isAsSigned || !(await isStagedAsSigned(context, reviewId, decisions))) {
    throw new ChangedError();
  }
  const key = idempotencyKey === '' ? undefined : { idempotencyKey, requestDigest, results };
  const submission = await writeSubmission(context, reviewId, judged, { submissionId, submitted, key, signed });
  // What else this person left about these items is no longer what they would sign.
  const taskIds = decisions.map(({ taskId }) => taskId);
  await endSignatures(context, await listPreparedAbout(context, reviewId, taskIds), 'CHANGED');
  return { signature: await readAgain(context, signature), submission, results };
}

/**
 * Signs what waits for the actor's signature, and decides it. As `signAndAct` throws; CONFLICT where a task no longer stands as it did when
 * this was prepared: nothing is decided, and the signature cannot be given any more.
 */
export function signSubmission(context: Context, signature: SignatureRow, sent: Components, signing: Signing): Promise<SignedSubmission> {
  return signAndAct(context, signature, sent, signing, {
    act: decideSigned,
    changed:
      'Some of these items are no longer as they were when you submitted them. Nothing was decided: look at them, submit and sign anew.',
  });
}
