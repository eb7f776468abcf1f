/** Writing a submission: decisions that were judged, the submission itself and its signature, in one transaction with one event. */
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/index.ts';
import { digestLines } from '../../../lib/log/row-digest.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEventWith } from '../../../foundation/audit/index.ts';
import { hashComponents, keepSignature, lineOfSigned, type Signed } from '../../../foundation/signatures/index.ts';
import { actionBy, digestActions, lineOfSubmission } from '../task/index.ts';
import type { Decision } from './decision.ts';
import { decideAll, type Judged } from './judge.ts';
import { removePendingRows } from './store-pending.ts';
import { insertSubmission, type SubmissionKey, type SubmissionRow } from './store-submit.ts';

/** SHA-256 over all that was submitted and decided, in the order of the request: the event proves the submission without repeating it. */
function digestOf(decided: readonly Decision[]): string {
  const lines = decided.map(({ taskId, decision, policyStepId, comment, certifyUntil, amend = false }) =>
    JSON.stringify([taskId, decision, policyStepId, comment, certifyUntil?.toISOString() ?? '', amend]),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** Facts about a submission before it is written. */
export interface Accepted {
  readonly submissionId: string;
  /** Decisions that were asked for, those that are refused too. */
  readonly submitted: number;
  readonly key: SubmissionKey | undefined;
  /** The signature by which it is made. */
  readonly signed?: Signed;
}

/** Writes decisions that were judged as one submission, with its event, in the open transaction. They are no longer staged. */
export async function writeSubmission(
  inner: Context,
  reviewId: string,
  judged: readonly Judged[],
  { submissionId, submitted, key, signed }: Accepted,
): Promise<SubmissionRow> {
  const { writes, decided, counts, remediates } = await decideAll(inner, judged);
  const submission: SubmissionRow = {
    id: submissionId,
    userId: inner.actor.userId,
    issuerId: inner.actor.issuerId,
    submitted,
    certified: counts.APPROVE,
    denied: counts.DENY,
    refused: submitted - counts.APPROVE - counts.DENY,
    createdAt: inner.now,
  };
  const eventId = newId(inner.now);
  const actions = writes.flatMap(({ taskId, actions: own }) =>
    own.map((action) => actionBy(inner, { taskId, reviewId, submissionId }, action)),
  );
  const event: NewEvent<'review.submitted'> = {
    id: eventId,
    evidence: {
      task_actions: digestActions(eventId, actions),
      submissions: digestLines([lineOfSubmission({ ...submission, reviewId })]),
      ...(signed === undefined ? {} : { signatures: digestLines([lineOfSigned(signed)]) }),
    },
    kind: 'review.submitted',
    targetId: reviewId,
    data: {
      submissionId,
      submitted,
      certified: submission.certified,
      denied: submission.denied,
      refused: submission.refused,
      written: writes.length,
      sha256: digestOf(decided),
      ...(remediates ? { remediates } : {}),
      ...(decided.some(({ certifyUntil }) => certifyUntil !== undefined) ? { hasCertifyUntil: true } : {}),
      ...(signed === undefined ? {} : hashComponents(signed)),
    },
  };
  await recordEventWith(inner, event, (insertEvent) => insertSubmission(inner, reviewId, submission, writes, key, eventId, insertEvent));
  if (signed !== undefined) {
    await keepSignature(inner, signed, eventId);
  }
  const held = judged.filter(({ verdict }) => verdict === 'proceed' || !('refusal' in verdict));
  await removePendingRows(
    inner,
    reviewId,
    held.map(({ decision }) => decision.taskId),
  );
  return submission;
}
