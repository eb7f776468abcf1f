/**
 * `countersign review start`: says whom the review asks, by what day, who learns of it and who cannot sign in; asks where somebody can answer; and starts.
 */
import type { AccessReviewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import {
  ReviewActionsService,
  ReviewSelectionService,
  type ReviewSelectionServicePreviewResponseJson,
} from '../../gen/countersign/v1/review_pb.js';
import type { Commands } from '../frame/commands.ts';
import { CommandFailure, count, writeLines } from '../frame/io.ts';
import { ask } from './ask.ts';
import { finishPhase, printWarnings } from './finish-phase.ts';
import { saySigning } from './review-show.ts';

/** The most names in one line. */
const maxNames = 5;

/** Adds the command. */
export function addStartCommand(group: Commands): void {
  group.run('start', {
    description: 'say whom it asks and by when, ask in a terminal, and open the tasks to their reviewers',
    operands: { '<review>': 'id of the review' },
    options: { '--yes': 'start without asking', '--no-wait': 'do not wait until it is done' },
    act: async ({ review: id, yes, wait, json }, session) => {
      const { client, io } = session;
      const review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
      const asks = yes !== true && io.stdin.isTTY === true;
      const isPrepared = review?.state === 'ACCESS_REVIEW_STATE_REVIEW' || review?.state === 'ACCESS_REVIEW_STATE_PENDING';
      // A program that reads JSON reads the review alone.
      if (isPrepared && (asks || json !== true)) {
        const preview = await client.call(ReviewSelectionService.method.preview, { accessReviewId: id });
        writeLines(io.stderr, ...sayStart(review, preview));
        if (asks && !(await ask(io, 'Start the review? [y/N] '))) {
          throw new CommandFailure('not started');
        }
      }
      // In any other state the server says that it runs already, or why it cannot start.
      const reply = await client.call(ReviewActionsService.method.start, { accessReviewId: id });
      printWarnings(io, reply.warnings);
      return finishPhase(session, id, wait, reply.accessReview);
    },
  });
}

/** Says what a start means: who is asked how much, by what day, and who does not learn of it or cannot come in. */
function sayStart(review: AccessReviewJson, preview: ReviewSelectionServicePreviewResponseJson): string[] {
  const { reviewers = [], reviewerCount, items, undescribedItems, reach = {} } = preview;
  const shown = reviewers.slice(0, maxNames).map((one) => `${one.displayName ?? one.userId} (${count(one.items)})`);
  const more = Number(reviewerCount ?? 0) - shown.length;
  const { sendKickoff, sendReminders } = review.notificationConfig ?? {};
  const unreached = reach.withoutAddressNames ?? [];
  const unnamed = Number(reach.withoutAddress ?? 0) - unreached.length;
  return [
    `${review.displayName ?? review.id}: ${counted(items, 'item')}, asked of ${counted(reviewerCount, 'person', 'people')}${shown.length === 0 ? '' : `: ${shown.join(', ')}`}${more > 0 ? ` and ${more} more` : ''}`,
    review.completionDate === undefined
      ? 'It has no due date: nothing is ever late. Set one with review update --due.'
      : `It is due on ${String(review.completionDate)}.`,
    ...saySigning(review).map((how) => `It asks for a signature of ${how}`),
    reach.sendsMail !== true
      ? 'Nobody is told by mail: this installation sends none. Tell the reviewers yourself.'
      : sendKickoff === true
        ? `They are told by mail that it starts${sendReminders === true ? ', and reminded before it is due' : '; nobody is reminded'}.`
        : 'Nobody is told by mail that it starts: the review does not ask for it (notificationConfig.sendKickoff). Tell the reviewers yourself.',
    ...(reach.signsIn === true
      ? []
      : [
          'Reviewers cannot sign in by themselves: there is no identity provider, and no mail for links. Print each a link with user sign-in-link.',
        ]),
    ...(unreached.length === 0
      ? []
      : [
          `Without a mail address: ${unreached.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}. Neither a mail nor a sign-in reaches them.`,
        ]),
    ...(Number(undescribedItems ?? 0) > 0
      ? [
          `${counted(undescribedItems, 'item')} ${Number(undescribedItems) === 1 ? 'asks' : 'ask'} about an entitlement without a description.`,
        ]
      : []),
  ];
}

function counted(value: string | number | undefined, one: string, many = `${one}s`): string {
  return `${count(value)} ${Number(value ?? 0) === 1 ? one : many}`;
}
