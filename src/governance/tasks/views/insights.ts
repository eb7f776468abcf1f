/**
 * Findings about a task in sentences with their numbers: its insights, what changed since the review before, and the advice. Pure; what holds was
 * found when the task was made.
 */
import { nameBy } from '../../../lib/names/name-by.ts';
import { type ChangeCode, type InsightCode, insightReason, type Values } from './insight-codes.ts';
import { getAdvice, hasFlag, listTerms, type Advice, type Term } from '../task/index.ts';
import type { ShownTask } from './shown-task.ts';
import type { Found, Previous } from './store-found.ts';
import type { ReportedEnd } from './store-reported-end.ts';

/** One term that holds for a task. */
export interface Insight {
  readonly id: string;
  readonly taskId: string;
  readonly term: Term;
  readonly points: number;
  readonly sentence: string;
  /** The same in no language: which sentence it is, and what it says by name. */
  readonly code: InsightCode;
  readonly parameters: Values;
}

const day = 86_400_000;
const dateOf = (moment: string | null): string => (moment ?? '').slice(0, 10);
const quoted = (comment: string | null): string => (comment === null || comment.trim() === '' ? '' : ` Comment: “${comment.trim()}”`);

/** The circle somebody is compared with. */
function describePeers({ account }: ShownTask, { flags }: Found): string {
  return hasFlag(flags, 'PEERS_BY_TITLE')
    ? `other people with the title ${account?.jobTitle ?? ''} in ${account?.department ?? ''}`
    : hasFlag(flags, 'PEERS_BY_DEPARTMENT')
      ? `other people in ${account?.department ?? ''}`
      : 'other people with the same manager';
}

const decider = ({ decidedByName, decidedIssuerName, endReason }: Previous): string =>
  decidedByName !== null
    ? nameBy(decidedByName, decidedIssuerName ?? '')
    : endReason === 'DECIDED'
      ? 'its policy'
      : 'the close of the review';

function daysUnused(task: ShownTask, { frozenAt }: Found): number {
  return task.lastUsedAt === null ? 0 : Math.floor((new Date(frozenAt ?? task.createdAt).getTime() - task.lastUsedAt.getTime()) / day);
}

/** Change of an item: a value of the review before and of now, or the way by which it is held. */
export interface Change {
  readonly code: ChangeCode;
  readonly was: string;
  readonly is: string;
}

const changeNames: Partial<Readonly<Record<ChangeCode, string>>> = {
  ACCOUNT_STATUS: 'Account status',
  ACCOUNT_TYPE: 'Account type',
  OWNER: 'Owner',
  DEPARTMENT: 'Department',
  TITLE: 'Title',
  MANAGER: 'Manager',
  RISK_LEVEL: 'Risk level',
};

/** A value of the review before and of now, where they differ. */
function changed(code: ChangeCode, was: string | null | undefined, is: string | null | undefined): Change[] {
  return (was ?? '') === (is ?? '') ? [] : [{ code, was: was ?? '', is: is ?? '' }];
}

/** Finds an item's changes since the review before. */
export function findChanges(task: ShownTask): Change[] {
  const { found, account } = task;
  const before = found?.previous;
  if (!found || !before) {
    return [];
  }
  const { flags } = found;
  return [
    ...(hasFlag(flags, 'ACCOUNT_CHANGED')
      ? [
          ...changed('ACCOUNT_STATUS', before.accountStatus, account?.accountStatus),
          ...changed('ACCOUNT_TYPE', before.accountType, account?.accountType),
          ...changed('OWNER', before.owner, account?.userDisplayName || account?.userEmail),
        ]
      : []),
    ...(hasFlag(flags, 'MOVER')
      ? [
          ...changed('DEPARTMENT', before.department, account?.department),
          ...changed('TITLE', before.jobTitle, account?.jobTitle),
          ...changed('MANAGER', before.managerEmail, found.managerEmail),
        ]
      : []),
    ...(hasFlag(flags, 'RISK_CHANGED') ? changed('RISK_LEVEL', before.riskLevel, found.riskLevel) : []),
    ...(hasFlag(flags, 'WAY_CHANGED')
      ? [{ code: hasFlag(flags, 'INHERITED') ? ('NOW_INHERITED' as const) : ('NOW_DIRECT' as const), was: '', is: '' }]
      : []),
  ];
}

/** A change in a sentence. */
export function describeChange({ code, was, is }: Change): string {
  if (code === 'NOW_INHERITED') {
    return 'Held directly before, now inherited.';
  }
  return code === 'NOW_DIRECT'
    ? 'Inherited before, now held directly.'
    : `${changeNames[code] ?? ''} was ${was || 'empty'}, now ${is || 'empty'}.`;
}

/** Parts of a person's move. */
const ofMove: readonly ChangeCode[] = ['DEPARTMENT', 'TITLE', 'MANAGER'];

const listMoves = (task: ShownTask): Change[] => findChanges(task).filter(({ code }) => ofMove.includes(code));

/** Counts those the person is compared with that hold the entitlement; undefined where there is nobody to compare with. */
export function findPeers({ account, found }: ShownTask): (Values & { readonly by: 'TITLE' | 'DEPARTMENT' | 'MANAGER' }) | undefined {
  if (!found || found.peers === 0) {
    return undefined;
  }
  const of = { with: String(found.peersWith), of: String(found.peers) };
  return hasFlag(found.flags, 'PEERS_BY_TITLE')
    ? { by: 'TITLE', ...of, title: account?.jobTitle ?? '', department: account?.department ?? '' }
    : hasFlag(found.flags, 'PEERS_BY_DEPARTMENT')
      ? { by: 'DEPARTMENT', ...of, department: account?.department ?? '' }
      : { by: 'MANAGER', ...of };
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

/** An end that has passed, and the sync that still reports the access; '' where none does. */
function describeReportedEnd(end: ReportedEnd | null): string {
  return end === null || end.syncId === null
    ? ''
    : `Its end has passed (on ${dateOf(end.endsAt)}), and sync ${end.syncId} of ${dateOf(end.syncedAt)} from “${end.source}” still reports it.`;
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

/** Rule that the access breaks; the first one by name, where there are several. */
function describeRules({ rules }: Found): string {
  const [first, ...others] = rules ?? [];
  if (first === undefined) {
    return 'The access is part of an access conflict.';
  }
  const rest = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'rule' : 'rules'}`;
  return `The access breaks the rule “${first.displayName}”${rest} of access conflicts.`;
}

function explainTerm(term: Term, task: ShownTask, found: Found): string {
  const who = task.account?.userDisplayName || task.account?.userEmail || 'The owner';
  switch (term) {
    case 'LEAVER':
      return found.userStatus === 'ENABLED' ? `${who} no longer works here.` : `${who} is disabled in the directory.`;
    case 'DENIED_BEFORE':
      return `${describePrevious(found.previous)} The access is still there.`;
    case 'CONFLICT':
      return describeRules(found);
    case 'ORPHAN':
      return 'The account is unowned.';
    case 'DORMANT':
      return `The access was not used for ${daysUnused(task, found)} days.`;
    case 'PAST_END':
      return (
        describeReportedEnd(found.reportedEnd ?? null) ||
        `The access should have ended on ${dateOf(found.held?.endsAt ?? null) || 'a date that has passed'}, and is still there.`
      );
    case 'RISK':
      return `The risk level of the entitlement is ${(found.riskLevel ?? '').trim()}.`;
    case 'FORMER_ADDRESS':
      return `The account was matched to ${who} by an address that they had before. Check that it is still theirs.`;
    case 'OUTLIER':
      return `Only ${found.peersWith} of ${found.peers} ${describePeers(task, found)} hold the entitlement.`;
    case 'COMMON':
      return `${found.peersWith} of ${found.peers} ${describePeers(task, found)} hold the entitlement.`;
    case 'MOVER':
      return [`${who} has moved since the review before.`, ...listMoves(task).map(describeChange)].join(' ');
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

/** Decider in the review before: a person, its policy, or its close. */
function codeOfDecision<C extends 'DENIED_BEFORE' | 'CERTIFIED_BEFORE'>(term: C, previous: Previous | null) {
  const { decidedByName = null, decidedIssuerName = null, endReason = '', endedAt = null, comment = null } = previous ?? {};
  const said = { date: dateOf(endedAt), comment: (comment ?? '').trim() };
  return decidedByName !== null
    ? insightReason(term, { person: decidedByName, issuer: decidedIssuerName ?? '', ...said })
    : insightReason(endReason === 'DECIDED' ? `${term}_BY_POLICY` : `${term}_AT_CLOSE`, said);
}

/** Content of a sentence in no language. */
function codeTerm(term: Term, task: ShownTask, found: Found): Pick<Insight, 'code' | 'parameters'> {
  const person = task.account?.userDisplayName || task.account?.userEmail || '';
  switch (term) {
    case 'LEAVER':
      return insightReason(found.userStatus === 'ENABLED' ? 'LEAVER' : 'LEAVER_DISABLED', { person });
    case 'DENIED_BEFORE':
    case 'CERTIFIED_BEFORE':
      return codeOfDecision(term, found.previous);
    case 'FORMER_ADDRESS':
      return insightReason(term, { person });
    case 'DORMANT':
      return insightReason(term, { days: String(daysUnused(task, found)) });
    case 'PAST_END': {
      const end = found.reportedEnd ?? null;
      return end === null || end.syncId === null
        ? insightReason(term, { date: dateOf(found.held?.endsAt ?? null) })
        : insightReason('PAST_END_REPORTED', {
            date: dateOf(end.endsAt),
            source: end.source,
            sync: end.syncId,
            syncDate: dateOf(end.syncedAt),
          });
    }
    case 'RISK':
      return insightReason(term, { level: (found.riskLevel ?? '').trim() });
    case 'OUTLIER':
    case 'COMMON': {
      const { by = 'MANAGER', ...values } = findPeers(task) ?? {};
      return insightReason(`${term}_BY_${by}`, values);
    }
    case 'MOVER': {
      const moves = listMoves(task).flatMap(({ code, was, is }) => [
        [`${code.toLowerCase()}Was`, was],
        [`${code.toLowerCase()}Is`, is],
      ]);
      return insightReason(term, { person, ...(Object.fromEntries(moves) as Values) });
    }
    case 'INHERITED':
      return found.held?.through
        ? insightReason('INHERITED_THROUGH', { through: found.held.through.join(' › '), others: String(found.held.ways - 1) })
        : insightReason(term);
    case 'CONFLICT': {
      const [first, ...others] = found.rules ?? [];
      return first === undefined
        ? insightReason(term)
        : insightReason('CONFLICT_OF_RULE', { rule: first.displayName, others: String(others.length) });
    }
    case 'TEMPORARY':
      return found.held?.endsAt ? insightReason('TEMPORARY_UNTIL', { date: dateOf(found.held.endsAt) }) : insightReason(term);
    default:
      return insightReason(term);
  }
}

/** The insights of a task, in their order; none for a task of an earlier release. */
export function listInsights(task: ShownTask): Insight[] {
  const { found, id } = task;
  return found
    ? listTerms(found.flags).map(({ term, points }) => ({
        id: `${id}-${term}`,
        taskId: id,
        term,
        points,
        sentence: explainTerm(term, task, found),
        ...codeTerm(term, task, found),
      }))
    : [];
}

/** Finds the advice on a task. */
export function adviseOn({ found }: { readonly found?: Pick<Found, 'score' | 'flags'> | undefined }): Advice {
  return found ? getAdvice(found) : 'UNSPECIFIED';
}
