/**
 * What was done to one item, read from its actions: who decided what and when, through whose credential, what was withdrawn by a restart,
 * and how an item that nobody decided came to its end.
 */
import { explainEnd } from '../tasks/index.ts';
import type { NamedPerson, ReviewItemRow, TaskActionRow } from './store.ts';

/** A person named in a report; name and mail address are '' where no person has the id any more. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Somebody who decided, and who issued the credential it was done with where that was somebody else. */
export interface Certifier extends Person {
  readonly issuedBy?: Person;
}

/** One decision. */
export interface Decision {
  readonly decision: 'CERTIFIED' | 'DENIED';
  /** Counted from 1. */
  readonly step: number;
  /** Absent where a step of the policy decided by itself. */
  readonly by?: Person;
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
  readonly by: Person;
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
    ...row.actions.flatMap((action) => [action.actorId, action.issuerId, ...(action.data.newUserIds ?? [])]),
  ].filter((id) => id !== '');
}

/** The history of an item; `people` holds the names of those in `idsInItem`. */
export function tellHistory(row: ReviewItemRow, people: ReadonlyMap<string, NamedPerson>): ItemHistory {
  const person = (id: string): Person => ({ id, name: people.get(id)?.displayName ?? '', email: people.get(id)?.email ?? '' });
  const lastRestart = row.actions.findLastIndex((action) => action.kind === 'RESTARTED');
  const decisions = row.actions.flatMap((action, index) => readDecision(action, person, index < lastRestart));
  const certifiers = new Map<string, Certifier>();
  for (const { by, issuedBy, isWithdrawn } of decisions) {
    if (by !== undefined && !isWithdrawn) {
      certifiers.set(`${by.id} ${issuedBy?.id ?? ''}`, { ...by, ...(issuedBy === undefined ? {} : { issuedBy }) });
    }
  }
  return {
    assignedTo: row.assigneeIds.map(person),
    certifiers: [...certifiers.values()],
    decisions,
    reassignments: row.actions
      .filter((action) => action.kind === 'REASSIGNED')
      .map((action) => ({
        by: person(action.actorId),
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
    const issuedBy = action.issuerId === '' ? {} : { issuedBy: person(action.issuerId) };
    return [{ decision: action.kind === 'APPROVED' ? 'CERTIFIED' : 'DENIED', by: person(action.actorId), ...issuedBy, ...common }];
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
  const notes = [decision.by === undefined ? 'by the policy' : '', decision.isWithdrawn ? 'withdrawn by a restart' : ''].filter(
    (note) => note !== '',
  );
  return notes.length === 0 ? verb : `${verb} (${notes.join(', ')})`;
}

/** How an item ended that no person decided, or that it is open; '' where the decisions say it all. */
export function describeEnd(row: Pick<ReviewItemRow, 'state' | 'endReason'>): string {
  return row.state === 'OPEN' ? 'Open' : explainEnd(row.endReason);
}
