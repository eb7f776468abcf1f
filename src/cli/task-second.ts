/** `countersign task second-review`: the second reviews that ask you, their questions, and your answers. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { type SecondReviewQuestionJson, SecondReviewService } from '../gen/countersign/v1/second_review_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { collect, CommandFailure, type CommandIo, count, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface AnswerOptions extends ConnectOptions {
  readonly approve?: readonly string[];
  readonly deny?: readonly string[];
  readonly comment: string;
  readonly limit: number;
}

/** Adds `task second-review`. */
export function addSecondReviewTaskCommand(group: Command, io: CommandIo): void {
  withConnection(
    group.command('second-review').description('list the second reviews that ask you, or what one asks, or answer it; answers are final'),
  )
    .argument('[review]', 'id of the review; all that ask you where it is missing')
    .option('--approve <task>', 'this access is right; repeat it for several', collect)
    .option('--deny <task>', 'this access is not right; repeat it for several', collect)
    .option('--comment <text>', 'comment on each answer', '')
    .option('--limit <items>', 'questions that are shown', Number, 100)
    .action((reviewId: string | undefined, options: AnswerOptions) => run(io, reviewId, options));
}

async function run(io: CommandIo, reviewId: string | undefined, options: AnswerOptions): Promise<void> {
  const client = connect(io, options);
  const answers = [
    ...(options.approve ?? []).map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' as const, comment: options.comment })),
    ...(options.deny ?? []).map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_DENY' as const, comment: options.comment })),
  ];
  if (reviewId === undefined) {
    if (answers.length > 0) {
      throw new UsageError('--approve and --deny need the id of the review before them');
    }
    const mine = await listAll(client.pages(SecondReviewService.method.listMine, {}));
    showList(io, options, mine, ['REVIEW', 'ASKED', 'ANSWERED', 'NAME'], (one) => [
      one.accessReviewId ?? '',
      count(one.asked),
      count(one.answered),
      one.displayName ?? '',
    ]);
    return;
  }
  if (answers.length > 0) {
    await answer(io, client, reviewId, answers, options);
    return;
  }
  const pages = client.pages(SecondReviewService.method.listQuestions, { accessReviewId: reviewId, pageSize: 100 });
  const questions = await listAll(pages, options.limit);
  showList(io, options, questions, ['TASK', 'PERSON', 'ACCESS', 'STANDS OUT', 'LAST USED', 'ANSWER'], rowOf);
}

function rowOf(question: SecondReviewQuestionJson): string[] {
  const { taskId = '', person, account = '', resource, entitlement, appDisplayName = '', terms = [], lastUsedAt, answer: given } = question;
  return [
    taskId,
    person || account,
    `${[resource, entitlement].filter((part) => part !== undefined && part !== '').join(' ')} in ${appDisplayName}`,
    terms.join(', ') || '-',
    lastUsedAt === undefined ? 'not known' : String(lastUsedAt).slice(0, 10),
    given === 'REVIEW_DECISION_CERTIFY' ? 'approved' : given === 'REVIEW_DECISION_DENY' ? 'denied' : '-',
  ];
}

async function answer(
  io: CommandIo,
  client: Client,
  accessReviewId: string,
  answers: readonly { taskId: string; decision: 'REVIEW_DECISION_CERTIFY' | 'REVIEW_DECISION_DENY'; comment: string }[],
  options: ConnectOptions,
): Promise<void> {
  const { results = [] } = await client.call(SecondReviewService.method.answer, { accessReviewId, answers: [...answers] });
  const refused = results.filter(({ answered }) => answered !== true);
  if (options.json === true) {
    writeJson(io.stdout, results);
  } else {
    writeLines(io.stdout, `${count(results.length - refused.length)} answered`);
    if (refused.length > 0) {
      writeLines(
        io.stdout,
        formatTable(
          ['TASK', 'NOT ANSWERED'],
          refused.map(({ taskId = '', message = '' }) => [taskId, message]),
        ),
      );
    }
  }
  if (refused.length > 0) {
    throw new CommandFailure(`${count(refused.length)} of ${count(results.length)} were not answered`);
  }
}
