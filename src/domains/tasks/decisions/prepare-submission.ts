/** Preparing a submission to a review that asks for signatures: nothing is decided, and what would be is kept to be signed. */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { findEpoch, sealFirst } from '../../log-proofs/index.ts';
import { findPreparedByKey, prepareSignature, requireSigner, type SignatureRow } from '../../signatures/index.ts';
import { currentDecisions, stepId, type Task } from '../task/index.ts';
import type { Decision } from './decision.ts';
import { answerAll, type Judged, type SubmissionResult } from './judge.ts';
import type { TaskReviewRow } from './store-submit.ts';

/** A submission that waits for its signature, and what would be decided. */
export interface Prepared {
  readonly signature: SignatureRow;
  readonly results: readonly SubmissionResult[];
}

/** A decision as it is kept until it is signed, with how its task stood. */
export interface KeptDecision extends Omit<Decision, 'certifyUntil' | 'stagedAt'> {
  readonly actionId: string;
  readonly certifyUntil: string | null;
  readonly stagedAt: string | null;
  readonly stood: string;
}

/** Members of a request that are kept until it is signed. */
export interface KeptRequest {
  readonly reviewName: string;
  readonly submitted: number;
  readonly decisions: readonly KeptDecision[];
  readonly results: readonly SubmissionResult[];
}

/** The way a task stands: who signs a decision about it means this and no other. */
export function standOf(task: Task): string {
  return [task.stepGeneration, task.state, task.outcome, currentDecisions(task).at(-1)?.id ?? ''].join(' ');
}

/** CONFLICT for a key that another request had. */
export function otherSubmission(): AppError {
  return new AppError(
    'CONFLICT',
    'You sent another submission with this idempotencyKey. Use a new key for a new submission, or repeat the first one unchanged.',
  );
}

/** The name of the tenant's log, which a record names; empty where the review asks for no signatures. PERMISSION_DENIED for whoever never signs. */
export async function findOriginToSign(context: Context, { signature }: TaskReviewRow): Promise<string> {
  if (signature === null) {
    return '';
  }
  requireSigner(context.actor);
  // Nobody seals inside a transaction, and a log begins with its first seal.
  await sealFirst(context);
  return (await findEpoch(context, 0)).origin;
}

/** Finds the submission that waits for a signature since the same request was sent with this key; CONFLICT where that was another request. */
export async function findPrepared(
  context: Context,
  reviewId: string,
  idempotencyKey: string,
  requestDigest: string,
): Promise<Prepared | undefined> {
  const signature = await findPreparedByKey(context, reviewId, idempotencyKey);
  if (signature !== undefined && signature.requestDigest !== requestDigest) {
    throw otherSubmission();
  }
  return signature === undefined ? undefined : { signature, results: readKept(signature).results };
}

/** Reads what was kept of the request of a signature. */
export function readKept({ request }: Pick<SignatureRow, 'request'>): KeptRequest {
  return request as unknown as KeptRequest;
}

/** Keeps decisions that were judged for the actor to sign, in the open transaction. Those that are refused are none of it. */
export async function prepareSubmission(
  context: Context,
  review: TaskReviewRow & { readonly id: string },
  origin: string,
  judged: readonly Judged[],
  key: { readonly idempotencyKey: string; readonly requestDigest: string },
): Promise<Prepared> {
  const toDecide = judged.flatMap(({ decision, task, verdict }) =>
    verdict === 'proceed' && task !== undefined ? [{ decision, task, actionId: newId(context.now) }] : [],
  );
  const kept: KeptRequest = {
    reviewName: review.displayName,
    submitted: judged.length,
    results: answerAll(judged),
    decisions: toDecide.map(({ decision, task, actionId }) => ({
      ...decision,
      actionId,
      policyStepId: decision.amend === true ? decision.policyStepId : stepId(task.id, task.stepGeneration),
      certifyUntil: decision.certifyUntil?.toISOString() ?? null,
      stagedAt: decision.stagedAt?.toISOString() ?? null,
      stood: standOf(task),
    })),
  };
  if (review.signature === null) {
    throw new AppError('INTERNAL', 'The review asks for no signatures.');
  }
  const signature = await prepareSignature(context, {
    review: { id: review.id, name: review.displayName },
    origin,
    submissionId: newId(context.now),
    terms: review.signature,
    subject: {
      decisions: toDecide.map(({ decision, task, actionId }) => ({
        itemId: task.id,
        actionId,
        decision: decision.decision === 'APPROVE' ? 'CERTIFY' : 'DENY',
        step: task.step,
        comment: decision.comment,
        until: decision.certifyUntil,
        amends: decision.amend === true,
      })),
    },
    request: kept as unknown as JsonObject,
    ...key,
  });
  return { signature, results: kept.results };
}
