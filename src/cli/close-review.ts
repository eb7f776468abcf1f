/**
 * `countersign review close`: shows what is decided and what is not, asks, and closes. A closed review stays closed, so nobody should close
 * one without having seen how much is undecided.
 */
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import type { AccessReviewJson, CloseDecisionJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ReviewActionsService, type ReviewCountsJson } from '../gen/countersign/v1/review_pb.js';
import { connect, withConnection } from './connect.ts';
import { finishPhase, type PhaseOptions } from './finish-phase.ts';
import { CommandFailure, type CommandIo, UsageError, writeLines } from './io.ts';

interface CloseOptions extends PhaseOptions {
  readonly decision?: keyof typeof closeDecisions;
  readonly yes?: boolean;
}

const closeDecisions = {
  skip: 'CLOSE_DECISION_SKIP',
  revoke: 'CLOSE_DECISION_REVOKED',
  'no-action': 'CLOSE_DECISION_NO_ACTION',
} as const satisfies Record<string, CloseDecisionJson>;

/** What becomes of undecided tasks, as a sentence goes on about them. */
const fates: Partial<Record<CloseDecisionJson, string>> = {
  CLOSE_DECISION_SKIP: 'skipped (outcome: cancelled)',
  CLOSE_DECISION_REVOKED: 'revoked, although nobody decided them',
  CLOSE_DECISION_NO_ACTION: 'closed without an outcome',
};

/** Adds the command. */
export function addCloseCommand(group: Command, io: CommandIo): void {
  withConnection(
    group.command('close').description('show what is undecided, ask, and close; revoked access has to be removed in the applications'),
  )
    .argument('<review>', 'id of the review')
    .addOption(
      new Option(
        '--decision <what>',
        'what becomes of undecided tasks (default: the setting of the review, else skip); revoke changes nothing in the applications',
      ).choices(['skip', 'revoke', 'no-action']),
    )
    .option('--yes', 'close without asking; needed where there is no terminal')
    .option('--no-wait', 'do not wait until it is closed')
    .action(async (id: string, options: CloseOptions) => {
      if (options.yes !== true && io.stdin.isTTY !== true) {
        throw new UsageError('closing a review cannot be undone, and without a terminal nobody can be asked: repeat it with --yes');
      }
      const client = connect(io, options);
      const decision = options.decision === undefined ? {} : { decision: closeDecisions[options.decision] };
      const review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
      // A program that has said yes reads the review alone.
      const asksOrShows = options.yes !== true || options.json !== true;
      if (review?.state === 'ACCESS_REVIEW_STATE_OPEN' && asksOrShows) {
        await showAndAsk(io, client, review, options);
      }
      // In any other state the server says that it is closed already, or why it cannot be.
      const reply = await client.call(ReviewActionsService.method.close, { accessReviewId: id, ...decision });
      await finishPhase(io, options, id, reply.accessReview);
    });
}

async function showAndAsk(io: CommandIo, client: Client, review: AccessReviewJson, options: CloseOptions): Promise<void> {
  const { counts = {} } = await client.call(ReviewActionsService.method.getCounts, { accessReviewId: review.id });
  const chosen = options.decision === undefined ? review.autoCloseDecision : closeDecisions[options.decision];
  writeLines(io.stderr, `${review.displayName ?? review.id}: ${describeCounts(counts)}`);
  if (Number(counts.undecided) > 0) {
    writeLines(io.stderr, `Undecided items are ${fates[chosen ?? 'CLOSE_DECISION_SKIP'] ?? fates.CLOSE_DECISION_SKIP}.`);
  }
  if (options.yes !== true && !(await ask(io, 'Close the review? This cannot be undone. [y/N] '))) {
    throw new CommandFailure('not closed');
  }
}

/** How the items stand, in one line. */
function describeCounts(counts: ReviewCountsJson): string {
  const number = (value: string | undefined): string => Number(value ?? 0).toLocaleString('en');
  const decided = Number(counts.total ?? 0) - Number(counts.undecided ?? 0);
  const outcomes = [
    `${number(counts.certified)} certified`,
    `${number(counts.revoked)} revoked`,
    ...(Number(counts.cancelled) > 0 ? [`${number(counts.cancelled)} cancelled because the access was gone`] : []),
    ...(Number(counts.withoutOutcome) > 0 ? [`${number(counts.withoutOutcome)} without an outcome`] : []),
  ];
  return `${decided.toLocaleString('en')} of ${number(counts.total)} items decided (${outcomes.join(', ')}), ${number(counts.undecided)} undecided`;
}

/** Asks on standard error; anything but y or yes is no, and so is the end of the input. */
async function ask(io: CommandIo, question: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(question, { signal: io.signal }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
