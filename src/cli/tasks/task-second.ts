/** `countersign task second-review`: the second reviews that ask you, their questions, and your answers. */
import { type SecondReviewQuestionJson, SecondReviewService } from '../../gen/countersign/v1/second_review_pb.js';
import { type Commands, formatRows } from '../frame/commands.ts';
import { collect, count, formatTable, UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';

/** Adds `task second-review`. */
export function addSecondReviewTaskCommand(group: Commands): void {
  group.run('second-review', {
    description: 'list the second reviews that ask you, or what one asks, or answer it; answers are final',
    operands: { '[review]': 'id of the review; all that ask you where it is missing' },
    options: {
      '--approve <task>': { text: 'this access is right; repeat it for several', parse: collect },
      '--deny <task>': { text: 'this access is not right; repeat it for several', parse: collect },
      '--comment <text>': { text: 'comment on each answer', fallback: '' },
      '--limit <items>': { text: 'questions that are shown', parse: Number, fallback: 100 },
    },
    act: async ({ review: accessReviewId, approve = [], deny = [], comment, limit }, session) => {
      const { client } = session;
      const answers = [
        ...approve.map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' as const, comment })),
        ...deny.map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_DENY' as const, comment })),
      ];
      if (accessReviewId === undefined) {
        if (answers.length > 0) {
          throw new UsageError('--approve and --deny need the id of the review before them');
        }
        const mine = await listAll(client.pages(SecondReviewService.method.listMine, {}));
        const rows = mine.map((one) => [one.accessReviewId ?? '', count(one.asked), count(one.answered), one.displayName ?? '']);
        return { json: mine, text: formatRows(['REVIEW', 'ASKED', 'ANSWERED', 'NAME'], rows) };
      }
      if (answers.length === 0) {
        const pages = client.pages(SecondReviewService.method.listQuestions, { accessReviewId, pageSize: 100 });
        const questions = await listAll(pages, limit);
        return {
          json: questions,
          text: formatRows(['TASK', 'PERSON', 'ACCESS', 'STANDS OUT', 'LAST USED', 'ANSWER'], questions.map(rowOf)),
        };
      }
      const { results = [] } = await client.call(SecondReviewService.method.answer, { accessReviewId, answers });
      const refused = results.filter(({ answered }) => answered !== true);
      const said = `${count(results.length - refused.length)} answered`;
      const rows = refused.map(({ taskId = '', message = '' }) => [taskId, message]);
      return refused.length === 0
        ? { json: results, text: said }
        : {
            json: results,
            text: [said, formatTable(['TASK', 'NOT ANSWERED'], rows)],
            failure: `${count(refused.length)} of ${count(results.length)} were not answered`,
          };
    },
  });
}

function rowOf(question: SecondReviewQuestionJson): string[] {
  const { taskId = '', person, account = '', resource, entitlement, appDisplayName = '', terms = [], lastUsedAt, answer } = question;
  return [
    taskId,
    person || account,
    `${[resource, entitlement].filter((part) => part !== undefined && part !== '').join(' ')} in ${appDisplayName}`,
    terms.join(', ') || '-',
    lastUsedAt === undefined ? 'not known' : String(lastUsedAt).slice(0, 10),
    answer === 'REVIEW_DECISION_CERTIFY' ? 'approved' : answer === 'REVIEW_DECISION_DENY' ? 'denied' : '-',
  ];
}
