/**
 * `countersign task queue`: a reviewer's own tasks of a review, what stands out first.
 */
import type { Command } from 'commander';
import { type ReviewQueueRowJson, ReviewQueueService } from '../gen/countersign/v1/review_queue_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { nameRight } from '../lib/name-right.ts';
import { type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';

interface QueueOptions extends ConnectOptions {
  readonly show: string;
  readonly query?: string;
  readonly limit: string;
}

/** Adds the command. */
export function addQueueCommand(group: Command, io: CommandIo): void {
  withConnection(group.command('queue').description('list your tasks of a review, what stands out first'))
    .argument('<review>', 'id of the review')
    .option('--show <which>', 'open, closer, new, changed, mine, decided or all', 'open')
    .option('--query <text>', 'those with these words in the names of account, owner, app or entitlement')
    .option('--limit <count>', 'as many at most, up to 1000', '100')
    .action(async (accessReviewId: string, options: QueueOptions) => {
      const limit = Number(options.limit);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
        throw new UsageError(`--limit ${options.limit} must be a number from 1 to 1000`);
      }
      const reply = await connect(io, options).call(ReviewQueueService.method.readQueue, {
        accessReviewId,
        show: `REVIEW_QUEUE_SHOW_${options.show.toUpperCase()}` as 'REVIEW_QUEUE_SHOW_OPEN',
        query: options.query ?? '',
        limit,
      });
      if (options.json === true) {
        writeJson(io.stdout, reply);
        return;
      }
      const { counts = {}, rows = [] } = reply;
      writeLines(
        io.stdout,
        `${counts.todo ?? 0} to decide, ${counts.staged ?? 0} staged, ${counts.decided ?? 0} decided`,
        formatTable(['NUMBER', 'SCORE', 'PERSON', 'ACCESS', 'STANDS OUT', 'LAST USED'], rows.map(rowOf)),
      );
    });
}

/** What adds to the score or takes from it, in a word or two; all else about an item is a sentence of `task show`. */
const shortWords: Readonly<Record<string, string>> = {
  LEAVER: 'leaver',
  DENIED_BEFORE: 'denied before',
  CONFLICT: 'conflict',
  ORPHAN: 'unowned',
  DORMANT: 'unused lately',
  RISK: 'risk',
  OUTLIER: 'few peers have it',
  COMMON: 'most peers have it',
  MOVER: 'moved',
  NEW: 'new',
  EXTERNAL: 'external',
  DISABLED_ACCOUNT: 'account disabled',
  CERTIFIED_BEFORE: 'certified before',
};

function rowOf(row: ReviewQueueRowJson): string[] {
  const {
    numericId = '',
    score = 0,
    person,
    account = '',
    resource = '',
    entitlement = '',
    appDisplayName = '',
    terms = [],
    lastUsedAt,
  } = row;
  return [
    `#${numericId}`,
    String(score),
    person || account,
    `${nameRight(resource, entitlement)} in ${appDisplayName}`,
    terms.flatMap((term) => shortWords[term] ?? []).join(', ') || 'nothing',
    lastUsedAt === undefined ? 'not known' : String(lastUsedAt).slice(0, 10),
  ];
}
