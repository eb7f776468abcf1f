/**
 * What was done to one item, read from its actions: who decided what and when, through whose credential, what was withdrawn by a restart,
 * and how an item that nobody decided came to its end.
 */
import { explainEnd, type ReviewerFlag } from '../tasks/index.ts';
import type { NamedPerson, ReviewItemRow, TaskActionRow } from './store.ts';

/** A person named in a report; name and mail address are '' where no person has the id any more. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Somebody who decided, in whose place, and who issued the credential it was done with where that was somebody else. */
export interface Certifier extends Person {
  /** What stands out about how they decided in this review; absent for nothing. */
  readonly flags?: readonly ReviewerFlag[];
  readonly inPlaceOf?: Person;
  readonly issuedBy?: Person;
}

/** One decision. */
export interface Decision {
  readonly decision: 'CERTIFIED' | 'DENIED';
  /** Counted from 1. */
  readonly step: number;
  /** Absent where a step of the policy decided by itself. */
  readonly by?: Person;
  /** Who was asked, where a delegate of theirs decided. */
  readonly inPlaceOf?: Person;
  readonly issuedBy?: Person;
  readonly at: string;
  readonly comment: string;
  readonly submissionId: string;
  /** True where the task was restarted later: the decision is history. */
  readonly isWithdrawn: boolean;
}

export interface Comment {
  readonly by: Person;
  readonly at: string;
  readonly text: string;
}

export interface Reassignment {
  /** Absent where nobody reassigned it: it passed on, because of those in `instead`. */
  readonly by?: Person;
  /** Those who could no longer review. */
  readonly instead?: readonly Person[];
  readonly to: readonly Person[];
  readonly at: string;
  readonly comment: string;
}

export interface ItemHistory {
  readonly assignedTo: readonly Person[];
  /** Whose decisions stand, each person and issuer once. */
  readonly certifiers: readonly Certifier[];
  readonly decisions: readonly Decision[];
  readonly reassignments: readonly Reassignment[];
  readonly comments: readonly Comment[];
  readonly submissionIds: readonly string[];
}

/** The ids of all people an item names. */
export function idsInItem(row: ReviewItemRow): string[] {
  return [
    ...row.assigneeIds,
    ...row.actions.flatMap((action) => [
      action.actorId,
      action.issuerId,
      action.data.delegatorId ?? '',
      ...(action.data.newUserIds ?? []),
      ...(action.data.disabledUserIds ?? []),
    ]),
  ].filter((id) => id !== '');
}

/** What stands out about people by their ids; those about whom nothing does are absent. */
export type FlagsOf = Readonly<Record<string, readonly ReviewerFlag[]>>;

/** The history of an item; `people` holds the names of those in `idsInItem`. */
export function tellHistory(row: ReviewItemRow, people: ReadonlyMap<string, NamedPerson>, flagsOf: FlagsOf = {}): ItemHistory {
  const person = (id: string): Person => ({ id, name: people.get(id)?.displayName ?? '', email: people.get(id)?.email ?? '' });
  const lastRestart = row.actions.findLastIndex((action) => action.kind === 'RESTARTED');
  const decisions = row.actions.flatMap((action, index) => readDecision(action, person, index < lastRestart));
  const certifiers = new Map<string, Certifier>();
  for (const { by, inPlaceOf, issuedBy, isWithdrawn } of decisions) {
    if (by !== undefined && !isWithdrawn) {
      const flags = flagsOf[by.id];
      const beside = {
        ...(inPlaceOf === undefined ? {} : { inPlaceOf }),
        ...(issuedBy === undefined ? {} : { issuedBy }),
        ...(flags === undefined ? {} : { flags }),
      };
      certifiers.set(`${by.id} ${inPlaceOf?.id ?? ''} ${issuedBy?.id ?? ''}`, { ...by, ...beside });
    }
  }
  return {
    assignedTo: row.assigneeIds.map(person),
    certifiers: [...certifiers.values()],
    decisions,
    reassignments: row.actions
      .filter((action) => action.kind === 'REASSIGNED' || action.kind === 'HANDED_OVER')
      .map((action) => ({
        ...(action.kind === 'REASSIGNED' ? { by: person(action.actorId) } : { instead: (action.data.disabledUserIds ?? []).map(person) }),
        to: (action.data.newUserIds ?? []).map(person),
        at: timeOf(action),
        comment: action.comment,
      })),
    comments: row.actions
      .filter((action) => action.comment !== '')
      .map((action) => ({ by: person(action.actorId), at: timeOf(action), text: action.comment })),
    submissionIds: [...new Set(row.actions.map((action) => action.submissionId).filter((id) => id !== ''))],
  };
}

function readDecision(action: TaskActionRow, person: (id: string) => Person, isWithdrawn: boolean): Decision[] {
  const common = {
    step: action.step + 1,
    at: timeOf(action),
    comment: action.comment,
    submissionId: action.submissionId,
    isWithdrawn,
  };
  if (action.kind === 'APPROVED' || action.kind === 'DENIED') {
    const beside = {
      ...(action.data.delegatorId === undefined ? {} : { inPlaceOf: person(action.data.delegatorId) }),
      ...(action.issuerId === '' ? {} : { issuedBy: person(action.issuerId) }),
    };
    return [{ decision: action.kind === 'APPROVED' ? 'CERTIFIED' : 'DENIED', by: person(action.actorId), ...beside, ...common }];
  }
  if (action.kind === 'ENDED' && action.data.reason === 'POLICY') {
    return [{ decision: action.data.outcome === 'DECERTIFIED' ? 'DENIED' : 'CERTIFIED', ...common }];
  }
  return [];
}

function timeOf(action: TaskActionRow): string {
  return new Date(action.createdAt).toISOString();
}

/** `Name <mail address>`, or as much of it as there is. */
export function nameOf(person: Person): string {
  if (person.name === '' || person.email === '') {
    return person.name || person.email || person.id;
  }
  return `${person.name} <${person.email}>`;
}

/** A decision in a few words. */
export function describeDecision(decision: Decision): string {
  const verb = decision.decision === 'CERTIFIED' ? 'Certified' : 'Denied';
  const notes = [
    decision.by === undefined ? 'by the policy' : '',
    decision.inPlaceOf === undefined ? '' : `in place of ${nameOf(decision.inPlaceOf)}`,
    decision.isWithdrawn ? 'withdrawn by a restart' : '',
  ].filter((note) => note !== '');
  return notes.length === 0 ? verb : `${verb} (${notes.join(', ')})`;
}

/** How an item ended that no person decided, or that it is open; '' where the decisions say it all. */
export function describeEnd(row: Pick<ReviewItemRow, 'state' | 'endReason'>): string {
  return row.state === 'OPEN' ? 'Open' : explainEnd(row.endReason);
}

/** A reassignment in a few words: when, by whom or because of whom, to whom, and why. */
export function describeReassignment({ by, instead = [], to, at, comment }: Reassignment): string {
  const names = (people: readonly Person[]): string => people.map(nameOf).join(', ');
  const cause = by === undefined ? `because ${names(instead)} can no longer review` : `by ${nameOf(by)}`;
  return `${at} ${cause} to ${names(to)}${comment === '' ? '' : `: ${comment}`}`;
}

/** Somebody who decided, in whose place, through whose credential, and what stands out about their decisions. */
export function describeCertifier(one: Certifier): string {
  const notes = [
    ...(one.inPlaceOf === undefined ? [] : [`in place of ${nameOf(one.inPlaceOf)}`]),
    ...(one.issuedBy === undefined ? [] : [`credential issued by ${nameOf(one.issuedBy)}`]),
    ...(one.flags === undefined ? [] : [`figures to look at: ${one.flags.join(', ')}`]),
  ];
  return notes.length === 0 ? nameOf(one) : `${nameOf(one)} (${notes.join(', ')})`;
}
