/** `countersign task stage|submit|sign|amend`: decisions that are kept first, sent together and signed, or changed by whoever made them. */
import { type Client, ClientError } from '../../client/index.ts';
import type { ErrorCode } from '../../errors.ts';
import { TaskService } from '../../gen/c1/api/task/v1/task_service_pb.js';
import {
  type PendingDecisionJson,
  PendingDecisionService,
  type PendingDecisionServiceSetPendingDecisionsResponseJson,
} from '../../gen/countersign/v1/pending_decisions_pb.js';
import {
  type ReviewDecisionJson,
  ReviewSubmissionService,
  type ReviewSubmissionServiceSubmitRequestJson,
  type ReviewSubmissionServiceSubmitResponseJson,
} from '../../gen/countersign/v1/review_pb.js';
import type { Answer, Commands, Session } from '../frame/commands.ts';
import { UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { signAgain, signPrepared } from './sign.ts';
import { nameTask } from './task-name.ts';

const decisions = { approve: 'REVIEW_DECISION_CERTIFY', deny: 'REVIEW_DECISION_DENY' } as const satisfies Record<
  string,
  ReviewDecisionJson
>;

/** Adds the commands. */
export function addSubmitCommands(group: Commands): void {
  group.run('stage', {
    description: 'keep decisions to submit later; nobody else sees them, and they decide nothing',
    operands: { '<task...>': 'numbers or ids of tasks of one review' },
    options: {
      '--decision <what>': { text: 'what you mean to decide; none takes it back', choices: ['approve', 'deny', 'none'], needed: true },
      '--comment <text>': 'why',
    },
    act: async ({ task, decision, comment = '' }, { client }) => {
      const { reviewId: accessReviewId, taskIds } = await findTasks(client, task);
      const added: PendingDecisionJson[] =
        decision === 'none' ? [] : taskIds.map((taskId) => ({ taskId, decision: decisions[decision], comment }));
      const reply = await replaceStaged(client, accessReviewId, (before) => [
        ...before.filter(({ taskId = '' }) => !taskIds.includes(taskId)),
        ...added,
      ]);
      return {
        json: { accessReviewId, ...reply },
        text: `staged in review ${accessReviewId}: ${reply.count ?? '0'}; countersign task submit ${accessReviewId} submits them`,
      };
    },
  });

  group.run('submit', {
    description: 'submit all decisions you staged in a review; where it asks for signatures, sign them too',
    operands: { '<review>': 'id of the review' },
    options: { '--key <text>': 'idempotency key: a repeated submission with the same key gets the same answer' },
    act: async ({ review: accessReviewId, key: idempotencyKey = '' }, session) =>
      submit(session, { accessReviewId, all: true, idempotencyKey }),
  });

  group.run('sign', {
    description: 'sign what you submitted to a review that asks for signatures, or acknowledged of it, and have not signed yet',
    operands: { '<signature>': 'id of the signature' },
    act: async ({ signature: id }, session) => {
      const reply = await signAgain(session, id);
      return reply.submission === undefined ? { json: reply, text: 'acknowledged and signed' } : answerWith(reply);
    },
  });

  group.run('amend', {
    description: 'change a decision of yours that closed a task; both stay in its history',
    operands: { '<task>': 'number or id of the task' },
    options: {
      '--decision <what>': { text: 'the decision that holds from now on', choices: ['approve', 'deny'], needed: true },
      '--comment <text>': { text: 'why', needed: true },
    },
    act: async ({ task, decision, comment }, session) => {
      const { reviewId: accessReviewId, taskIds } = await findTasks(session.client, [task]);
      const amended = taskIds.map((taskId) => ({ taskId, decision: decisions[decision], comment, amend: true }));
      return submit(session, { accessReviewId, decisions: amended });
    },
  });
}

/** Times it is tried where a console changes the same list at the same moment. */
const mostTries = 5;

/** Replaces what is staged in a review by what `change` makes of it, and nothing that was staged meanwhile. */
async function replaceStaged(
  client: Client,
  accessReviewId: string,
  change: (before: readonly PendingDecisionJson[]) => PendingDecisionJson[],
): Promise<PendingDecisionServiceSetPendingDecisionsResponseJson> {
  const { listPendingDecisions, setPendingDecisions } = PendingDecisionService.method;
  for (let tries = 1; ; tries++) {
    // The version first: a list that is newer than it is refused when it is written back.
    const { version = '' } = await client.call(listPendingDecisions, { accessReviewId, pageSize: 1 });
    const before = await listAll(client.pages(listPendingDecisions, { accessReviewId }));
    const decisions = change(before.flatMap(({ pendingDecision }) => pendingDecision ?? []));
    try {
      return await client.call(setPendingDecisions, { accessReviewId, decisions, version });
    } catch (error) {
      if (!(error instanceof ClientError && error.code === ('CONFLICT' satisfies ErrorCode)) || tries === mostTries) {
        throw error;
      }
    }
  }
}

/** The ids of tasks and the one review they are in. */
async function findTasks(client: Client, named: readonly string[]): Promise<{ reviewId: string; taskIds: string[] }> {
  const taskIds: string[] = [];
  const reviewIds = new Set<string>();
  for (const one of named) {
    const { taskView } = await client.call(TaskService.method.get, { id: nameTask(one) });
    taskIds.push(taskView?.task?.id ?? '');
    reviewIds.add(taskView?.task?.type?.certify?.accessReviewId ?? '');
  }
  const [reviewId = '', ...others] = reviewIds;
  if (others.length > 0) {
    throw new UsageError('the tasks are of several reviews: name those of one at a time');
  }
  return { reviewId, taskIds };
}

/** Submits, and signs where the review asks for it. */
async function submit(session: Session, request: ReviewSubmissionServiceSubmitRequestJson): Promise<Answer> {
  const reply = await session.client.call(ReviewSubmissionService.method.submit, request);
  return answerWith(reply.signature === undefined ? reply : await signPrepared(session, reply.signature));
}

function answerWith(reply: ReviewSubmissionServiceSubmitResponseJson): Answer {
  const { submission = {}, results = [] } = reply;
  const refused = results.filter(({ decided }) => decided !== true).map(({ taskId, message }) => `${taskId}: ${message}`);
  return {
    json: reply,
    text: `submitted ${submission.submitted}: ${submission.certified} approved, ${submission.denied} denied, ${submission.refused} refused`,
    failure: refused.length > 0 ? refused.join('\n') : undefined,
  };
}
