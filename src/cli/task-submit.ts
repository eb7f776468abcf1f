/** `countersign task stage|submit|amend`: decisions that are kept first, sent together, or changed by whoever made them. */
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import { TaskService } from '../gen/c1/api/task/v1/task_service_pb.js';
import { type PendingDecisionJson, PendingDecisionService } from '../gen/countersign/v1/pending_decisions_pb.js';
import {
  type ReviewDecisionJson,
  ReviewSubmissionService,
  type ReviewSubmissionServiceSubmitResponseJson,
} from '../gen/countersign/v1/review_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll } from './list.ts';
import { nameTask } from './task-name.ts';

const decisions = { approve: 'REVIEW_DECISION_CERTIFY', deny: 'REVIEW_DECISION_DENY' } as const satisfies Record<
  string,
  ReviewDecisionJson
>;

interface StageOptions extends ConnectOptions {
  readonly decision: 'approve' | 'deny' | 'none';
  readonly comment?: string;
}

/** Adds the commands. */
export function addSubmitCommands(group: Command, io: CommandIo): void {
  withConnection(group.command('stage').description('keep decisions to submit later; nobody else sees them, and they decide nothing'))
    .argument('<task...>', 'numbers or ids of tasks of one review')
    .addOption(
      new Option('--decision <what>', 'what you mean to decide; none takes it back')
        .choices(['approve', 'deny', 'none'])
        .makeOptionMandatory(),
    )
    .option('--comment <text>', 'why')
    .action(async (tasks: string[], options: StageOptions) => {
      const client = connect(io, options);
      const { reviewId, taskIds } = await findTasks(client, tasks);
      const before = await listAll(client.pages(PendingDecisionService.method.listPendingDecisions, { accessReviewId: reviewId }));
      const others = before.flatMap(({ pendingDecision }) =>
        taskIds.includes(pendingDecision?.taskId ?? '') ? [] : (pendingDecision ?? []),
      );
      const { decision, comment = '' } = options;
      const added: PendingDecisionJson[] =
        decision === 'none' ? [] : taskIds.map((taskId) => ({ taskId, decision: decisions[decision], comment }));
      const reply = await client.call(PendingDecisionService.method.setPendingDecisions, {
        accessReviewId: reviewId,
        decisions: [...others, ...added],
      });
      if (options.json === true) {
        writeJson(io.stdout, { accessReviewId: reviewId, ...reply });
        return;
      }
      writeLines(io.stdout, `staged in review ${reviewId}: ${reply.count ?? '0'}; countersign task submit ${reviewId} submits them`);
    });

  withConnection(group.command('submit').description('submit all decisions you staged in a review'))
    .argument('<review>', 'id of the review')
    .option('--key <text>', 'idempotency key: a repeated submission with the same key gets the same answer')
    .action(async (reviewId: string, options: ConnectOptions & { readonly key?: string }) => {
      const request = { accessReviewId: reviewId, all: true, idempotencyKey: options.key ?? '' };
      showSubmission(io, options, await connect(io, options).call(ReviewSubmissionService.method.submit, request));
    });

  withConnection(group.command('amend').description('change a decision of yours that closed a task; both stay in its history'))
    .argument('<task>', 'number or id of the task')
    .addOption(new Option('--decision <what>', 'the decision that holds from now on').choices(['approve', 'deny']).makeOptionMandatory())
    .requiredOption('--comment <text>', 'why')
    .action(async (task: string, options: ConnectOptions & { readonly decision: keyof typeof decisions; readonly comment: string }) => {
      const client = connect(io, options);
      const { reviewId, taskIds } = await findTasks(client, [task]);
      const amended = taskIds.map((taskId) => ({ taskId, decision: decisions[options.decision], comment: options.comment, amend: true }));
      showSubmission(
        io,
        options,
        await client.call(ReviewSubmissionService.method.submit, { accessReviewId: reviewId, decisions: amended }),
      );
    });
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

function showSubmission(io: CommandIo, options: ConnectOptions, reply: ReviewSubmissionServiceSubmitResponseJson): void {
  const { submission = {}, results = [] } = reply;
  if (options.json === true) {
    writeJson(io.stdout, reply);
  } else {
    writeLines(
      io.stdout,
      `submitted ${submission.submitted}: ${submission.certified} approved, ${submission.denied} denied, ${submission.refused} refused`,
    );
  }
  const refused = results.filter(({ decided }) => decided !== true).map(({ taskId, message }) => `${taskId}: ${message}`);
  if (refused.length > 0) {
    throw new CommandFailure(refused.join('\n'));
  }
}
