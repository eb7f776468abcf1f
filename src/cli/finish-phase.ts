/**
 * The end of the commands that move a review: waiting for the work behind the move, and showing the review as it is then.
 */
import type { AccessReviewJson, AccessReviewViewJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { type ConnectOptions, connect } from './connect.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';
import { waitForPhase } from './wait.ts';

/** Options of a command that moves a review. */
export interface PhaseOptions extends ConnectOptions {
  readonly wait: boolean;
}

/** Shows what an owner should know although it stops nothing; beside the output, so that scripts read that alone. */
export function printWarnings(io: CommandIo, warnings: readonly string[] | undefined): void {
  for (const warning of warnings ?? []) {
    writeLines(io.stderr, `warning: ${warning}`);
  }
}

/** Waits for the work where that is wanted, and shows the review; `asked` is what the move answered. */
export async function finishPhase(
  io: CommandIo,
  options: PhaseOptions,
  id: string,
  asked: AccessReviewViewJson | undefined,
): Promise<void> {
  const client = connect(io, options);
  let review = asked?.accessReview;
  if (options.wait) {
    await waitForPhase(io, client, id);
    review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
  }
  if (review === undefined) {
    throw new CommandFailure('the server answered without the review');
  }
  if (options.json === true) {
    writeJson(io.stdout, review);
    return;
  }
  const items =
    review.expectedTicketCount === undefined
      ? ''
      : `, ${review.expectedTicketCount.toLocaleString('en')} item${review.expectedTicketCount === 1 ? '' : 's'}`;
  writeLines(io.stdout, `${review.displayName ?? id}: ${stateOf(review)}${items}`);
}

/** The state without its prefix, as people say it. */
export function stateOf(review: AccessReviewJson): string {
  return (review.state ?? '').replace('ACCESS_REVIEW_STATE_', '');
}
