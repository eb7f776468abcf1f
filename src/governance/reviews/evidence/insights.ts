/** Outcome of a review, in a few sentences of Markdown: counted, without any model. Kept when the review closes. */
import type { RemovalCounts } from '../../revocations/index.ts';
import {
  countRevokedAtClose,
  type FlaggedReviewer,
  type Relation,
  type RelationCount,
  type ReviewerFlag,
  type SignedCounts,
  type TaskCounts,
  type Unsigned,
} from '../../tasks/index.ts';
import { sayPercent } from '../../../lib/shares/percent.ts';
import { wilson } from '../../../lib/shares/wilson.ts';
import type { CloseDecision } from '../record/index.ts';

/** Effect of close on undecided tasks, as a sentence goes on about them. */
const fates: Readonly<Record<CloseDecision, string>> = {
  REVOKED: 'revoked at the close',
  SKIP: 'skipped at the close',
  NO_ACTION: 'closed without an outcome',
};

const number = (count: number): string => count.toLocaleString('en');
const sayItems = (count: number): string => `${number(count)} ${count === 1 ? 'item' : 'items'}`;

/** What a close found. */
interface Close {
  readonly decision: CloseDecision | '';
  readonly undecided: number;
  readonly unsigned?: readonly Unsigned[];
  /** Of a review that asks for signatures. */
  readonly signed?: SignedCounts | undefined;
  readonly arrived?: number | null;
}

/** The summary of a review that closes: how its items ended, what nobody decided, and what still has to be removed. */
export function describeOutcome(
  counts: TaskCounts,
  close: Close,
  relations: readonly RelationCount[] = [],
  reviewers: { readonly reviewers: number; readonly flagged: readonly FlaggedReviewer[] } = { reviewers: 0, flagged: [] },
  removals: Pick<RemovalCounts, 'held' | 'open' | 'proven'> = { held: 0, open: 0, proven: 0 },
): string {
  const { total, certified, revoked, cancelled, withoutOutcome } = counts;
  const share = (count: number): string => (total === 0 ? '' : ` (${sayPercent(count, total)})`);
  const { undecided, decision, unsigned = [], signed, arrived = null } = close;
  return [
    `- **${sayItems(total)}:** ${number(certified)} certified${share(certified)}, ${number(revoked)} revoked${share(revoked)}, ${number(cancelled)} cancelled, ${number(withoutOutcome)} without an outcome.`,
    describeDeciders(counts),
    undecided === 0
      ? '- **Undecided:** none. No item was open when the review closed.'
      : `- **Undecided:** ${number(undecided)}${share(undecided)}, ${fates[decision || 'SKIP']}.`,
    ...describeSigned(signed),
    ...describeUnsigned(unsigned),
    ...describeArrived(arrived),
    revoked === 0
      ? '- **Removals:** none.'
      : `- **Removals:** ${sayItems(revoked)} ${revoked === 1 ? 'was' : 'were'} revoked. The access has to be removed in the applications; a later sync shows whether it was.${describeRemovals(removals)}`,
    ...describeRelations(relations),
    ...describeFlagged(reviewers),
  ].join('\n');
}

/** Tells how many items are signed, in a review that asks for signatures. */
function describeSigned(counts: SignedCounts | undefined): string[] {
  if (counts === undefined) {
    return [];
  }
  const { signed, notByPerson, notSigned } = counts;
  const without =
    notSigned === 0
      ? ''
      : ` ${sayItems(notSigned)} that a person is said to have decided ${notSigned === 1 ? 'has' : 'have'} NO SIGNATURE.`;
  return [
    `- **Signed:** ${sayItems(signed)}, by the ${signed === 1 ? 'person' : 'people'} who decided ${signed === 1 ? 'it' : 'them'}. ${number(notByPerson)} ended without a person, so that nobody signed.${without}`,
  ];
}

/** Tells what waited for a signature when the review closed, and whose it was is in its reports. */
function describeUnsigned(unsigned: readonly Unsigned[]): string[] {
  const submissions = unsigned.reduce((sum, one) => sum + one.submissions, 0);
  const items = unsigned.reduce((sum, one) => sum + one.items, 0);
  const [whose, them] = [unsigned.length === 1 ? 'one person' : `${number(unsigned.length)} people`, submissions === 1 ? 'it' : 'them'];
  return submissions === 0
    ? []
    : [
        `- **Waited unsigned:** ${number(submissions)} ${submissions === 1 ? 'submission' : 'submissions'} of ${whose}. What was in ${them} counts as undecided: ${sayItems(items)}.`,
      ];
}

/** Tells how many of the items a person decided, and who or what ended the others. */
function describeDeciders(counts: TaskCounts): string {
  const { total, byPeople, deniedByPeople, byPolicy, carried, cancelled, skipped, withoutOutcome } = counts;
  const others: readonly (readonly [count: number, words: string])[] = [
    [byPolicy, 'decided by a policy'],
    [carried, 'carried over from an earlier review'],
    [skipped, 'skipped by the close'],
    [countRevokedAtClose(counts), 'revoked by the close'],
    [cancelled - skipped, 'ended because the access was gone or somebody cancelled it'],
    [withoutOutcome, 'without an outcome'],
  ];
  const said = others.flatMap(([count, words]) => (count === 0 ? [] : [`${number(count)} ${words}`]));
  const share = total === 0 ? '' : ` (${sayPercent(byPeople, total)})`;
  return `- **Decided by a person:** ${number(byPeople)} of ${number(total)}${share}, ${number(deniedByPeople)} of them denied.${said.length === 0 ? '' : ` The others: ${said.join(', ')}.`}`;
}

/** Tells what came into the scope after the snapshot; nothing where nobody counted it. */
function describeArrived(arrived: number | null): string[] {
  if (arrived === null) {
    return [];
  }
  return [
    arrived === 0
      ? '- **After the snapshot:** none came into the scope.'
      : `- **After the snapshot:** ${number(arrived)} ${arrived === 1 ? 'grant' : 'grants'} came into the scope, and this review asked nobody about ${arrived === 1 ? 'it' : 'them'}.`,
  ];
}

function describeRemovals({ held, open, proven }: Pick<RemovalCounts, 'held' | 'open' | 'proven'>): string {
  const waiting = held + open;
  return waiting + proven === 0
    ? ''
    : ` Now ${number(waiting)} ${waiting === 1 ? 'is' : 'are'} open and ${number(proven)} ${proven === 1 ? 'is' : 'are'} proven.`;
}

/** Relations that an auditor asks about, in the words of a reader; who manages a person or owns an app is asked to decide for that reason. */
const remarkable: Readonly<Partial<Record<Relation, string>>> = {
  SELF: 'about their own access',
  REPORT: 'about the access of their own manager',
  GRANTER: 'about access that they had granted',
  APP_ADMINISTRATOR: 'as an administrator of the app',
  ISSUED_CREDENTIAL: 'with a credential or a link that somebody else had issued',
  RECIPROCAL: 'about somebody who decided about them in the same review',
};

function describeRelations(relations: readonly RelationCount[]): string[] {
  const list = relations.flatMap(({ relation, decisions }) => {
    const words = remarkable[relation];
    return words === undefined ? [] : [`${number(decisions)} ${words}`];
  });
  return list.length === 0 ? [] : [`- **Independence:** decisions by people with a relation to what they decided: ${list.join(', ')}.`];
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
    return count === 0 ? [] : [`${number(count)} ${patterns[flag]}`];
  });
  return [
    `- **Reviewers:** the figures of ${number(flagged.length)} of ${number(reviewers)} ${reviewers === 1 ? 'person' : 'people'} deserve a look: ${counts.join(', ')}. They say how decisions were made, not whether they are right.`,
  ];
}

/** Sums up a second review, in one line. */
export function describeSecondReview({ answered, disagreements }: { readonly answered: number; readonly disagreements: number }): string[] {
  const { lower, upper } = wilson(disagreements, answered);
  const percent = (share: number): string => sayPercent(share, 1, 1);
  return [
    answered === 0
      ? '- **Second review:** nothing was answered.'
      : `- **Second review:** ${number(disagreements)} of ${number(answered)} decisions differ from the first, ${percent(disagreements / answered)} (95 % confidence: ${percent(lower)} to ${percent(upper)}). No outcome changed by it.`,
  ];
}
