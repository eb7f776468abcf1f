/**
 * `countersign review close`: shows what is decided and what is not, asks, and closes. A closed review stays closed, so nobody should close
 * one without having seen how much is undecided.
 */
import type { ByValue } from '../../client/by-value.ts';
import type { AccessReviewJson, CloseDecisionJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ReviewActionsService } from '../../gen/countersign/v1/review_pb.js';
import type { Commands, Session } from '../frame/commands.ts';
import { CommandFailure, UsageError, writeLines } from '../frame/io.ts';
import { ask } from './ask.ts';
import { finishPhase } from './finish-phase.ts';
import { readArrivals, sayArrivals } from './review-arrivals.ts';
import { sayCounts } from './say-counts.ts';

const closeDecisions = {
  skip: 'CLOSE_DECISION_SKIP',
  revoke: 'CLOSE_DECISION_REVOKED',
  'no-action': 'CLOSE_DECISION_NO_ACTION',
} as const satisfies Record<string, CloseDecisionJson>;

/** Fates of undecided tasks, as a sentence goes on about them. */
const fates: ByValue<CloseDecisionJson, string> = {
  CLOSE_DECISION_SKIP: 'skipped (outcome: cancelled)',
  CLOSE_DECISION_REVOKED: 'revoked, although nobody decided them',
  CLOSE_DECISION_NO_ACTION: 'closed without an outcome',
};

/** Adds the command. */
export function addCloseCommand(group: Commands): void {
  group.run('close', {
    description: 'show what is undecided, ask, and close; revoked access has to be removed in the applications',
    operands: { '<review>': 'id of the review' },
    options: {
      '--decision <what>': {
        text: 'what becomes of undecided tasks (default: the setting of the review, else skip); revoke changes nothing in the applications',
        choices: closeDecisions,
      },
      '--yes': 'close without asking; needed where there is no terminal',
      '--no-wait': 'do not wait until it is closed',
    },
    act: async ({ review: id, decision: chosen, yes, wait, json }, session) => {
      const { io } = session;
      if (yes !== true && io.stdin.isTTY !== true) {
        throw new UsageError('closing a review cannot be undone, and without a terminal nobody can be asked: repeat it with --yes');
      }
      const { client } = session;
      const decision = chosen === undefined ? {} : { decision: closeDecisions[chosen] };
      const review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
      // A program that has said yes reads the review alone.
      const asksOrShows = yes !== true || json !== true;
      if (review?.state === 'ACCESS_REVIEW_STATE_OPEN' && asksOrShows) {
        await showCounts(session, review, decision.decision ?? review.autoCloseDecision);
        if (yes !== true && !(await ask(io, 'Close the review? This cannot be undone. [y/N] '))) {
          throw new CommandFailure('not closed');
        }
      }
      // In any other state the server says that it is closed already, or why it cannot be.
      const reply = await client.call(ReviewActionsService.method.close, { accessReviewId: id, ...decision });
      return finishPhase(session, id, wait, reply.accessReview);
    },
  });
}

async function showCounts({ io, client }: Session, review: AccessReviewJson, chosen: CloseDecisionJson | undefined): Promise<void> {
  const { counts = {} } = await client.call(ReviewActionsService.method.getCounts, { accessReviewId: review.id });
  const [decided = '', ...others] = sayCounts(counts);
  writeLines(io.stderr, `${review.displayName ?? review.id}: ${decided}`, ...others);
  const id = review.id ?? '';
  writeLines(io.stderr, ...sayArrivals(id, await readArrivals(client, id)));
  if (Number(counts.undecided) > 0) {
    writeLines(io.stderr, `Undecided items are ${fates[chosen ?? 'CLOSE_DECISION_SKIP'] ?? fates.CLOSE_DECISION_SKIP}.`);
  }
}
