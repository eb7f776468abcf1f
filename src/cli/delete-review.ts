/** `countersign review delete`: deletes a draft, a staged review, or an open one with a reason, through the API. */
import type { Command } from 'commander';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';

/** Adds the command. */
export function addDeleteCommand(group: Command, io: CommandIo): void {
  withConnection(group.command('delete').description('delete a review that is not closed; its tombstone and its events stay'))
    .argument('<review>', 'id of the review')
    .option('--reason <text>', 'why; needed for an open review, and kept by the tombstone')
    .option('--yes', 'delete it; without this nothing is deleted')
    .action(async (id: string, options: ConnectOptions & { readonly reason?: string; readonly yes?: boolean }) => {
      if (options.yes !== true) {
        throw new UsageError('deleting a review cannot be undone: repeat it with --yes');
      }
      const client = connect(io, options);
      const reason = options.reason?.trim() ?? '';
      // Clients of the public API send no reason, so the server asks for none. Whoever sits here can say why people are asked no longer.
      const review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
      if (review?.state === 'ACCESS_REVIEW_STATE_OPEN' && reason === '') {
        throw new UsageError('the review is open, and its tasks end with it: say why, with --reason');
      }
      await client.call(AccessReviewService.method.delete, { id, reason });
      if (options.json === true) {
        writeJson(io.stdout, {});
        return;
      }
      writeLines(io.stdout, `The review ${id} is deleted.`);
    });
}
