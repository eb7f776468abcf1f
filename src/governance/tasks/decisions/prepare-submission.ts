/** Preparing a submission to a review that asks for signatures: nothing is decided, and what would be is kept to be signed. */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { findOrigin } from '../../../foundation/log-proofs/index.ts';
import {
  findPreparedByKey,
  prepareSignature,
  requireSigner,
  type SignatureRow,
  type SignedDecision,
} from '../../../foundation/signatures/index.ts';
import { currentDecisions, stepId, type Task } from '../task/index.ts';
import type { Decision } from './decision.ts';
import { answerAll, type Judged, type SubmissionResult } from './judge.ts';
import type { TaskReviewRow } from './store-submit.ts';

/** A submission that waits for its signature, and what would be decided. */
export interface Prepared {
  readonly signature: SignatureRow;
  readonly results: readonly SubmissionResult[];
}

/** A decision as it is kept until it is signed, with how its task stood; what says nothing is left out. */
export interface KeptDecision extends Omit<Decision, 'certifyUntil' | 'stagedAt' | 'comment'> {
  readonly actionId: string;
  readonly comment?: string | undefined;
  readonly certifyUntil?: string | undefined;
  readonly stagedAt?: string | undefined;
  readonly stood: string;
}

/** Members of a request that are kept until it is signed. */
interface KeptRequest {
  readonly reviewName: string;
  readonly submitted: number;
  readonly decisions: readonly KeptDecision[];
  /** Answers to the decisions that are not to be signed, each with its place in the request. */
  readonly others?: readonly { readonly at: number; readonly result: SubmissionResult }[];
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
  return findOrigin(context);
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
  return signature === undefined ? undefined : { signature, results: readResults(signature) };
}

/** Reads what was kept of the request of a signature. */
export function readKept({ request }: Pick<SignatureRow, 'request'>): KeptRequest {
  return request as unknown as KeptRequest;
}

/** The answer to each decision of the request of a signature, in its order. */
export function readResults(signature: Pick<SignatureRow, 'request'>): SubmissionResult[] {
  // What a release before 0.4 prepared has none.
  const { decisions, others = [] } = readKept(signature);
  const results: SubmissionResult[] = decisions.map(({ taskId }) => ({ taskId, decided: true, code: '', message: '' }));
  for (const { at, result } of others) {
    results.splice(at, 0, result);
  }
  return results;
}

/** A decision as a record has it. */
export function describeDecision(
  { decision, comment, certifyUntil, amend }: Decision,
  { id: itemId, step }: Pick<Task, 'id' | 'step'>,
  actionId: string,
): SignedDecision {
  const word = decision === 'APPROVE' ? 'CERTIFY' : 'DENY';
  return { itemId, actionId, decision: word, step, comment, until: certifyUntil, amends: amend === true };
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
  const results = answerAll(judged);
  const kept: KeptRequest = {
    reviewName: review.displayName,
    submitted: judged.length,
    others: judged.flatMap(({ verdict }, at) => {
      const result = results[at];
      return verdict === 'proceed' || result === undefined ? [] : [{ at, result }];
    }),
    decisions: toDecide.map(({ decision, task, actionId }) => ({
      taskId: decision.taskId,
      decision: decision.decision,
      comment: decision.comment || undefined,
      policyStepId: decision.amend === true ? decision.policyStepId : stepId(task.id, task.stepGeneration),
      amend: decision.amend === true || undefined,
      certifyUntil: decision.certifyUntil?.toISOString(),
      stagedAt: decision.stagedAt?.toISOString(),
      stagedAs: decision.stagedAs || undefined,
      actionId,
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
      decisions: toDecide.map(({ decision, task, actionId }) => describeDecision(decision, task, actionId)),
    },
    request: kept as unknown as JsonObject,
    ...key,
  });
  return { signature, results };
}
