/**
 * What stands out about a task in sentences with their numbers: its insights, what changed since the review before, and the advice. Pure; what
 * holds was found when the task was made.
 */
import { getAdvice, hasFlag, listTerms, type Advice, type Term } from './store-terms.ts';
import type { Found, Previous } from './store-found.ts';
import type { TaskRow } from './task.ts';

/** One term that holds for a task. */
export interface Insight {
  readonly id: string;
  readonly taskId: string;
  readonly term: Term;
  readonly points: number;
  readonly sentence: string;
}

const day = 86_400_000;
const dateOf = (moment: string | null): string => (moment ?? '').slice(0, 10);
const quoted = (comment: string | null): string => (comment === null || comment.trim() === '' ? '' : ` Comment: “${comment.trim()}”`);

/** The circle somebody is compared with. */
function describePeers({ account }: TaskRow, { flags }: Found): string {
  return hasFlag(flags, 'PEERS_BY_TITLE')
    ? `other people with the title ${account?.jobTitle ?? ''} in ${account?.department ?? ''}`
    : hasFlag(flags, 'PEERS_BY_DEPARTMENT')
      ? `other people in ${account?.department ?? ''}`
      : 'other people with the same manager';
}

const decider = ({ decidedByName, endReason }: Previous): string =>
  decidedByName ?? (endReason === 'DECIDED' ? 'its policy' : 'the close of the review');

function daysUnused(task: TaskRow, { frozenAt }: Found): number {
  return task.lastUsedAt === null ? 0 : Math.floor((new Date(frozenAt ?? task.createdAt).getTime() - task.lastUsedAt.getTime()) / day);
}

/** A value of the review before and of now, where they differ. */
function changed(name: string, was: string | null | undefined, is: string | null | undefined): string[] {
  return (was ?? '') === (is ?? '') ? [] : [`${name} was ${was || 'empty'}, now ${is || 'empty'}.`];
}

/** What changed about the item since the review before, a sentence each. */
export function listChanges(task: TaskRow): string[] {
  const { found, account } = task;
  const before = found?.previous;
  if (!found || !before) {
    return [];
  }
  const { flags } = found;
  return [
    ...(hasFlag(flags, 'ACCOUNT_CHANGED')
      ? [
          ...changed('Account status', before.accountStatus, account?.accountStatus),
          ...changed('Account type', before.accountType, account?.accountType),
          ...changed('Owner', before.owner, account?.userDisplayName || account?.userEmail),
        ]
      : []),
    ...(hasFlag(flags, 'MOVER')
      ? [
          ...changed('Department', before.department, account?.department),
          ...changed('Title', before.jobTitle, account?.jobTitle),
          ...changed('Manager', before.managerEmail, found.managerEmail),
        ]
      : []),
    ...(hasFlag(flags, 'RISK_CHANGED') ? changed('Risk level', before.riskLevel, found.riskLevel) : []),
    ...(hasFlag(flags, 'WAY_CHANGED')
      ? [hasFlag(flags, 'INHERITED') ? 'Held directly before, now inherited.' : 'Inherited before, now held directly.']
      : []),
  ];
}

/** The last decision about the same access in a sentence; '' where there is none. */
export function describePrevious(previous: Previous | null | undefined): string {
  if (!previous) {
    return '';
  }
  const what = previous.outcome === 'CERTIFIED' ? 'Certified' : previous.outcome === 'DECERTIFIED' ? 'Denied' : 'Left undecided';
  const who = previous.outcome === 'CERTIFIED' || previous.outcome === 'DECERTIFIED' ? ` by ${decider(previous)}` : '';
  return `${what}${who} on ${dateOf(previous.endedAt)} in the review before.${quoted(previous.comment)}`;
}

/** By which way access is inherited; the first one, where there are several. */
function describeInherited({ held }: Found): string {
  if (!held?.through) {
    return 'The access is inherited from other access.';
  }
  const others = held.ways - 1;
  const rest = others === 0 ? '' : `, and in ${others} other ${others === 1 ? 'way' : 'ways'}`;
  return `The access is inherited through ${held.through.map((name) => `“${name}”`).join(', then ')}${rest}.`;
}

function explainTerm(term: Term, task: TaskRow, found: Found): string {
  const who = task.account?.userDisplayName || task.account?.userEmail || 'The owner';
  switch (term) {
    case 'LEAVER':
      return found.userStatus === 'ENABLED' ? `${who} no longer works here.` : `${who} is disabled in the directory.`;
    case 'DENIED_BEFORE':
      return `${describePrevious(found.previous)} The access is still there.`;
    case 'CONFLICT':
      return 'The access is part of an access conflict.';
    case 'ORPHAN':
      return 'The account is unowned.';
    case 'DORMANT':
      return `The access was not used for ${daysUnused(task, found)} days.`;
    case 'RISK':
      return `The risk level of the entitlement is ${(found.riskLevel ?? '').trim()}.`;
    case 'OUTLIER':
      return `Only ${found.peersWith} of ${found.peers} ${describePeers(task, found)} hold the entitlement.`;
    case 'COMMON':
      return `${found.peersWith} of ${found.peers} ${describePeers(task, found)} hold the entitlement.`;
    case 'MOVER':
      return `${who} has moved since the review before. ${listChanges(task)
        .filter((sentence) => /^(Department|Title|Manager) /.test(sentence))
        .join(' ')}`.trim();
    case 'NEW':
      return 'The access is new since the review before.';
    case 'EXTERNAL':
      return "The account's mail address is outside the organization's domains.";
    case 'DISABLED_ACCOUNT':
      return 'The account is disabled.';
    case 'CERTIFIED_BEFORE':
      return `${describePrevious(found.previous)} Nothing has changed since.`;
    case 'UNKNOWN_USE':
      return 'The last use of the access is not known.';
    case 'INHERITED':
      return describeInherited(found);
    case 'TEMPORARY':
      return found.held?.endsAt ? `The access ends on ${dateOf(found.held.endsAt)}.` : 'The access was granted until a date.';
    case 'NO_DESCRIPTION':
      return 'The entitlement has no description.';
  }
}

/** The insights of a task, in their order; none for a task of an earlier release. */
export function listInsights(task: TaskRow): Insight[] {
  const { found, id } = task;
  return found
    ? listTerms(found.flags).map(({ term, points }) => ({
        id: `${id}-${term}`,
        taskId: id,
        term,
        points,
        sentence: explainTerm(term, task, found),
      }))
    : [];
}

/** What is advised about a task. */
export function adviseOn({ found }: { readonly found?: Pick<Found, 'score' | 'flags'> | undefined }): Advice {
  return found ? getAdvice(found) : 'UNSPECIFIED';
}
