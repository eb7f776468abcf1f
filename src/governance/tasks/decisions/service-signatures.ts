/** The contract's methods about signatures of submissions, and approving one task with a signature. Each calls one rule and shapes the reply. */
import { TaskActionsService } from '../../../gen/c1/api/task/v1/task_actions_service_pb.js';
import { SignatureState } from '../../../gen/countersign/v1/review_pb.js';
import { SignatureService } from '../../../gen/countersign/v1/signatures_pb.js';
import { AppError, invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { readPage } from '../../../wire/page.ts';
import { unset } from '../../../wire/row.ts';
import { type BoundService, implement, implementPart } from '../../../wire/service.ts';
import {
  beginAndView,
  beginSigning,
  type Components,
  findSignature,
  findTransaction,
  listSignatures,
  type Signing,
  type SignatureRow,
  tryTimeStampServer,
  type SignatureState as StateOfSignature,
  viewSignature,
} from '../../../foundation/signatures/index.ts';
import { getTask, managesTask, refuseAction, resolveTaskId, seesAllTasks, throwRefusal } from '../task/index.ts';
import { viewOne } from '../views/index.ts';
import { type Prepared, readKept } from './prepare-submission.ts';
import { listSubmissionIds } from './store-submit.ts';
import { getOwnSignature, getSignature, signSubmission } from './sign-submission.ts';
import { shapeSubmission } from './view-submission.ts';
import { getTaskReview, submitDecisions, type Submitted } from './submit.ts';

/** Gives a signature that acknowledges the decisions of a review; the module that keeps reviews knows what follows. */
export type SignAcknowledgement = (context: Context, signature: SignatureRow, sent: Components, signing: Signing) => Promise<SignatureRow>;

/** True if a submission waits to be signed. */
export function isPrepared(result: Submitted | Prepared): result is Prepared {
  return 'signature' in result;
}

const states: Readonly<Record<SignatureState, StateOfSignature | undefined>> = {
  [SignatureState.UNSPECIFIED]: undefined,
  [SignatureState.PREPARED]: 'PREPARED',
  [SignatureState.SIGNED]: 'SIGNED',
  [SignatureState.ENDED]: 'ENDED',
};

function createSignatureService(signing: Signing, signAcknowledgement: SignAcknowledgement): BoundService {
  return implement(SignatureService, {
    get: async (context, request) => ({ signature: viewSignature(await getSignature(context, request.id), context.now) }),
    list: async (context, request, call) => {
      const review = await getTaskReview(context, request.accessReviewId);
      const everybodys = seesAllTasks(context.actor) || managesTask(context.actor, review);
      const userId = everybodys ? undefined : context.actor.userId;
      const submissionIds = request.taskId === '' ? undefined : await listSubmissionIds(context, request.accessReviewId, request.taskId);
      const state = states[request.state];
      const { rows, nextPageToken } = await readPage(call, (after, limit) =>
        listSignatures(context, { reviewId: request.accessReviewId, userId, submissionIds, state }, after, limit),
      );
      return { list: rows.map((row) => viewSignature(row, context.now)), nextPageToken };
    },
    stepUp: async (context, request, call) => ({
      signature: await beginAndView(context, call.baseUrl, await getOwnSignature(context, request.id), signing),
    }),
    sign: async (context, request) => {
      const prepared = await getOwnSignature(context, request.id);
      if (prepared.kind === 'ACKNOWLEDGEMENT') {
        const given = await signAcknowledgement(context, prepared, request, signing);
        return { signature: viewSignature(given, context.now), results: [], ...unset('submission') };
      }
      const { signature, submission, results } = await signSubmission(context, prepared, request, signing);
      return { signature: viewSignature(signature, context.now), submission: shapeSubmission(signature.reviewId, submission), results };
    },
    testTimeStampServer: async (context, { url }) => {
      const tried = await tryTimeStampServer(context, url, signing);
      return 'stamp' in tried
        ? { problem: '', mayPass: false, server: tried.stamp.server, policy: tried.stamp.policy, stampedAt: tried.stamp.at }
        : { ...tried, server: '', policy: '', ...unset('stampedAt') };
    },
  });
}

/** The signature that a step-up of the actor about this task is for; INVALID_ARGUMENT where it is for none. */
async function requireSignatureOf(context: Context, taskId: string, transactionId: string): Promise<SignatureRow> {
  const transaction = await findTransaction(context, transactionId);
  const signature =
    transaction === undefined || transaction.userId !== context.actor.userId || transaction.taskId !== taskId
      ? undefined
      : await findSignature(context, transaction.signatureId);
  if (signature === undefined || signature.userId !== context.actor.userId) {
    throw invalidField('stepUpTransactionId', 'must name your step-up about this task');
  }
  return signature;
}

/** INVALID_ARGUMENT where a request says something else about the one decision than what waits to be signed. */
function requireSame(prepared: SignatureRow, said: { readonly comment: string; readonly policyStepId: string }): void {
  if (prepared.state !== 'PREPARED') {
    // Of what was signed or ended nothing is kept but the record, and signing says which it is.
    return;
  }
  const [kept] = readKept(prepared).decisions;
  for (const field of ['comment', 'policyStepId'] as const) {
    if (said[field] !== '' && said[field] !== kept?.[field]) {
      throw invalidField(field, 'is another one than you proved who you are for: leave it out, or begin anew');
    }
  }
}

function createApproval(signing: Signing): BoundService {
  return implementPart(TaskActionsService, {
    async approveWithStepUp(context, request, call) {
      const taskId = await resolveTaskId(context, request.taskId);
      const { comment, policyStepId, stepUpTransactionId } = request;
      const paths = request.expandMask?.paths;
      if (stepUpTransactionId !== '') {
        const prepared = await requireSignatureOf(context, taskId, stepUpTransactionId);
        requireSame(prepared, { comment, policyStepId });
        await signSubmission(context, prepared, { stepUpTransactionId, credentialSignature: '', isByTokenAlone: true }, signing);
        const [decision] = readKept(prepared).decisions;
        return { ...(await viewOne(context, call, taskId, paths)), ticketActionId: decision?.actionId, redirectUrl: '' };
      }
      const task = await getTask(context, taskId);
      throwRefusal(refuseAction('APPROVE_WITH_STEP_UP', context.actor, task, context.now));
      const submission = { reviewId: task.reviewId, all: false, idempotencyKey: '' };
      const result = await submitDecisions(context, {
        ...submission,
        decisions: [{ taskId, comment, policyStepId, decision: 'APPROVE' }],
      });
      if (!isPrepared(result)) {
        const [refused] = result.results;
        throw new AppError('FAILED_PRECONDITION', refused?.message || 'This task needs no signature any more.');
      }
      const { redirectUrl } = await beginSigning(context, result.signature, signing, call.baseUrl, { taskId, policyStepId });
      return { ...(await viewOne(context, call, taskId, paths)), ticketActionId: '', redirectUrl };
    },
  });
}

/** Signatures as the contract offers them. */
export function createSignatureServices(signing: Signing, signAcknowledgement: SignAcknowledgement): readonly BoundService[] {
  return [createSignatureService(signing, signAcknowledgement), createApproval(signing)];
}
