/** The end of the commands that move a review: waiting for the work behind the move, and showing the review as it is then. */
import type { AccessReviewJson, AccessReviewViewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import type { Answer, Session } from '../frame/commands.ts';
import { CommandFailure, type CommandIo, count, writeLines } from '../frame/io.ts';
import { waitForPhase } from '../frame/wait.ts';

/** Shows what an owner should know although it stops nothing; beside the output, so that scripts read that alone. */
export function printWarnings(io: CommandIo, warnings: readonly string[] | undefined): void {
  for (const warning of warnings ?? []) {
    writeLines(io.stderr, `warning: ${warning}`);
  }
}

/** Waits for the work where that is wanted, and answers with the review; `asked` is what the move answered. */
export async function finishPhase(
  { io, client }: Session,
  id: string,
  waits: boolean | undefined,
  asked: AccessReviewViewJson | undefined,
): Promise<Answer> {
  let review = asked?.accessReview;
  if (waits === true) {
    await waitForPhase(io, client, id);
    review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
  }
  if (review === undefined) {
    throw new CommandFailure('the server answered without the review');
  }
  const { displayName = id, expectedTicketCount: items } = review;
  const many = items === undefined ? '' : `, ${count(items)} item${items === 1 ? '' : 's'}`;
  return { json: review, text: `${displayName}: ${reviewState(review)}${many}` };
}

/** The state without its prefix, as people say it. */
export function reviewState(review: AccessReviewJson): string {
  return (review.state ?? '').replace('ACCESS_REVIEW_STATE_', '');
}
