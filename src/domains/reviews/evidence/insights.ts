/** Outcome of a review, in a few sentences of Markdown: counted, without any model. Kept when the review closes. */
import type { RemovalCounts } from '../../revocations/index.ts';
import type { FlaggedReviewer, Relation, RelationCount, ReviewerFlag, TaskCounts } from '../../tasks/index.ts';

import { sayPercent } from '../../../lib/shares/percent.ts';
import { wilson } from '../../../lib/shares/wilson.ts';

/** Effect of close on undecided tasks, as a sentence goes on about them. */
const fates: Readonly<Record<string, string>> = {
  REVOKED: 'revoked at the close',
  SKIP: 'skipped at the close',
  NO_ACTION: 'closed without an outcome',
};

/** The summary of a review that closes: how its items ended, what nobody decided, and what still has to be removed. */
export function describeOutcome(
  counts: TaskCounts,
  close: { readonly decision: string; readonly undecided: number; readonly unsigned?: number; readonly arrived?: number | null },
  relations: readonly RelationCount[] = [],
  reviewers: { readonly reviewers: number; readonly flagged: readonly FlaggedReviewer[] } = { reviewers: 0, flagged: [] },
  removals: Pick<RemovalCounts, 'held' | 'open' | 'proven'> = { held: 0, open: 0, proven: 0 },
): string {
  const { total, certified, revoked, cancelled, withoutOutcome } = counts;
  const share = (count: number): string => (total === 0 ? '' : ` (${sayPercent(count, total)})`);
  const number = (count: number): string => count.toLocaleString('en');
  const { undecided, decision, unsigned = 0, arrived = null } = close;
  return [
    `- **${number(total)} items:** ${number(certified)} certified${share(certified)}, ${number(revoked)} revoked${share(revoked)}, ${number(cancelled)} cancelled, ${number(withoutOutcome)} without an outcome.`,
    undecided === 0
      ? '- **Undecided:** none. Every item was decided, or its access had ended.'
      : `- **Undecided:** ${number(undecided)}${share(undecided)}, ${fates[decision] ?? fates.SKIP}.`,
    ...(unsigned === 0
      ? []
      : [`- **Not signed:** ${number(unsigned)} submissions waited for a signature. What they held counts as undecided.`]),
    ...describeArrived(arrived),
    revoked === 0
      ? '- **Removals:** none.'
      : `- **Removals:** ${number(revoked)} items were revoked. Their access has to be removed in the applications; a later sync shows whether it was.${describeRemovals(removals)}`,
    ...describeRelations(relations),
    ...describeFlagged(reviewers),
  ].join('\n');
}

/** Tells what came into the scope after the snapshot; nothing where nobody counted it. */
function describeArrived(arrived: number | null): string[] {
  if (arrived === null) {
    return [];
  }
  return [
    arrived === 0
      ? '- **After the snapshot:** none came into the scope.'
      : `- **After the snapshot:** ${arrived.toLocaleString('en')} ${arrived === 1 ? 'grant' : 'grants'} came into the scope, and this review asked nobody about ${arrived === 1 ? 'it' : 'them'}.`,
  ];
}

function describeRemovals({ held, open, proven }: Pick<RemovalCounts, 'held' | 'open' | 'proven'>): string {
  const waiting = held + open;
  return waiting + proven === 0 ? '' : ` Now ${waiting.toLocaleString('en')} are open and ${proven.toLocaleString('en')} are proven.`;
}

/** Relations that an auditor asks about; who manages a person or owns an app is asked to decide for that reason. */
const remarkable: readonly Relation[] = ['SELF', 'REPORT', 'GRANTER', 'APP_ADMINISTRATOR', 'ISSUED_CREDENTIAL', 'RECIPROCAL'];

function describeRelations(relations: readonly RelationCount[]): string[] {
  const found = relations.filter(({ relation }) => remarkable.includes(relation));
  const list = found.map(({ relation, decisions }) => `${relation} ${decisions.toLocaleString('en')}`).join(', ');
  return found.length === 0 ? [] : [`- **Independence:** decisions by people with a relation to what they decided: ${list}.`];
}

/** Flags, in the words of a reader. */
const patterns: Readonly<Record<ReviewerFlag, string>> = {
  RUBBER_STAMP: 'approving nearly everything within seconds',
  BULK: 'deciding mostly many at a time',
  LATE: 'deciding mostly in the last hour',
  AGAINST_ADVICE: 'approving against recommendations without a comment',
};

function describeFlagged({ reviewers, flagged }: { readonly reviewers: number; readonly flagged: readonly FlaggedReviewer[] }): string[] {
  if (flagged.length === 0) {
    return [];
  }
  const counts = (Object.keys(patterns) as ReviewerFlag[]).flatMap((flag) => {
    const count = flagged.filter(({ flags }) => flags.includes(flag)).length;
    return count === 0 ? [] : [`${flag} ${count.toLocaleString('en')} (${patterns[flag]})`];
  });
  return [
    `- **Reviewers:** the figures of ${flagged.length.toLocaleString('en')} of ${reviewers.toLocaleString('en')} people deserve a look: ${counts.join(', ')}. They say how decisions were made, not whether they are right.`,
  ];
}

/** Sums up a second review, in one line. */
export function describeSecondReview({ answered, disagreements }: { readonly answered: number; readonly disagreements: number }): string[] {
  const { lower, upper } = wilson(disagreements, answered);
  const percent = (share: number): string => sayPercent(share, 1, 1);
  return [
    answered === 0
      ? '- **Second review:** nothing was answered.'
      : `- **Second review:** ${disagreements.toLocaleString('en')} of ${answered.toLocaleString('en')} decisions differ from the first, ${percent(disagreements / answered)} (95 % confidence: ${percent(lower)} to ${percent(upper)}). No outcome changed by it.`,
  ];
}
