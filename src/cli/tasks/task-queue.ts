/** `countersign task queue`: a reviewer's own tasks of a review, what stands out first. */
import { type ReviewQueueRowJson, ReviewQueueService } from '../../gen/countersign/v1/review_queue_pb.js';
import { nameRight } from '../../lib/names/name-right.ts';
import type { Commands } from '../frame/commands.ts';
import { formatTable, UsageError } from '../frame/io.ts';

/** Adds the command. */
export function addQueueCommand(group: Commands): void {
  group.call('queue', {
    description: 'list your tasks of a review, what stands out first',
    operands: { '<review>': 'id of the review' },
    options: {
      '--show <which>': { text: 'open, closer, new, changed, mine, decided or all', fallback: 'open' },
      '--query <text>': 'those with these words in the names of account, owner, app or entitlement',
      '--limit <count>': { text: 'as many at most, up to 1000', fallback: '100' },
    },
    method: ReviewQueueService.method.readQueue,
    request: ({ limit: typed }) => {
      const limit = Number(typed);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
        throw new UsageError(`--limit ${typed} must be a number from 1 to 1000`);
      }
      return { limit };
    },
    text: ({ counts = {}, rows = [] }) => [
      `${counts.todo ?? 0} to decide, ${counts.staged ?? 0} staged, ${counts.decided ?? 0} decided`,
      formatTable(['NUMBER', 'SCORE', 'PERSON', 'ACCESS', 'STANDS OUT', 'LAST USED'], rows.map(rowOf)),
    ],
  });
}

/** Reasons for the score, up or down, in a word or two; all else about an item is a sentence of `task show`. */
const shortWords: Readonly<Record<string, string>> = {
  LEAVER: 'leaver',
  DENIED_BEFORE: 'denied before',
  CONFLICT: 'conflict',
  ORPHAN: 'unowned',
  DORMANT: 'unused lately',
  PAST_END: 'past its end',
  RISK: 'risk',
  FORMER_ADDRESS: 'former address',
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
    `${nameRight(appDisplayName, resource, entitlement)} in ${appDisplayName}`,
    terms.flatMap((term) => shortWords[term] ?? []).join(', ') || 'nothing',
    lastUsedAt === undefined ? 'not known' : String(lastUsedAt).slice(0, 10),
  ];
}
