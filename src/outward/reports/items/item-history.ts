/**
 * The history of one item, read from its actions: who decided what, when and until when, through whose credential; what its maker amended,
 * what a restart withdrew, and how an item that nobody decided came to its end.
 */
import { explainEnd, type ReviewerFlag, type TaskOutcome } from '../../../governance/tasks/index.ts';
import { type PersonWords, wordsAt } from '../../../foundation/directory/index.ts';
import type { GivenSignature } from '../../../foundation/signatures/index.ts';
import { noteSignature } from './item-signature.ts';
import type { ReviewItemRow, TaskActionRow } from './store-items.ts';

/** A person named in a report, as they were when they did what it tells; all but the id is '' where nobody has the id any more, or nothing was known. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly employeeId: string;
}

/** Somebody who decided, in whose place, and who issued the credential it was done with where that was somebody else. */
export interface Certifier extends Person {
  /** Flags on how they decided in this review; absent for nothing. */
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
  /** Person asked, where a delegate of theirs decided. */
  readonly inPlaceOf?: Person;
  readonly issuedBy?: Person;
  readonly at: string;
  readonly comment: string;
  readonly submissionId: string;
  /** The signature that it was submitted under; null where it has none, absent where the review asks for no signatures. */
  readonly signature?: GivenSignature | null;
  /** The end of what was certified, RFC 3339; absent where no date was set. */
  readonly until?: string;
  /** The decision that this one changed; absent for one that changed none. */
  readonly amends?: 'CERTIFIED' | 'DENIED';
  /** True where its maker changed it later: the amendment counts, and this one is history. */
  readonly isAmended: boolean;
  /** True where the task was restarted later: the decision is history. */
  readonly isWithdrawn: boolean;
}

export interface Comment {
  readonly by: Person;
  readonly issuedBy?: Person;
  readonly at: string;
  readonly text: string;
}

export interface Reassignment {
  /** Absent where nobody reassigned it: it passed on, because of those in `instead`, or was escalated. */
  readonly by?: Person;
  readonly issuedBy?: Person;
  /** Those who could no longer review. */
  readonly instead?: readonly Person[];
  /** True where nobody decided in time. */
  readonly isEscalation?: true;
  readonly to: readonly Person[];
  readonly at: string;
  readonly comment: string;
}

export interface ItemHistory {
  readonly assignedTo: readonly Person[];
  /** Those whose decisions stand, each person and issuer once. */
  readonly certifiers: readonly Certifier[];
  readonly decisions: readonly Decision[];
  readonly reassignments: readonly Reassignment[];
  readonly comments: readonly Comment[];
  readonly submissionIds: readonly string[];
  /** Those who carried out its removal, or decided about it once more in a second review. */
  readonly later: readonly Person[];
}

/** The ids of all people an item names. */
export function idsInItem(row: ReviewItemRow): string[] {
  return [
    ...row.assigneeIds,
    ...laterActs(row).map(([id]) => id),
    ...row.actions.flatMap((action) => [
      action.actorId,
      action.issuerId,
      action.data.delegatorId ?? '',
      ...(action.data.newUserIds ?? []),
      ...(action.data.disabledUserIds ?? []),
    ]),
  ].filter((id) => id !== '');
}

/** Those who acted behind the decision, each with the moment; '' for nobody. */
function laterActs({ removal, second }: ReviewItemRow): [id: string, at: string][] {
  return [
    ...(removal === null
      ? []
      : [
          [removal.claimedById, removal.claimedAt ?? removal.stateAt] as [string, string],
          [removal.claimedIssuerId, removal.claimedAt ?? removal.stateAt] as [string, string],
          [removal.actorId, removal.stateAt] as [string, string],
          [removal.actorIssuerId, removal.stateAt] as [string, string],
        ]),
    ...(second === null || second.at === null
      ? []
      : [[second.byId, second.at] as [string, string], [second.issuerId, second.at] as [string, string]]),
  ];
}

/** Things that stand out about people by their ids; those about whom nothing does are absent. */
export type FlagsOf = Readonly<Record<string, readonly ReviewerFlag[]>>;

/** Names a person by their words of a moment; those of today at none. */
export function personAt(people: ReadonlyMap<string, PersonWords>, id: string, at: Date | null): Person {
  const { displayName, email, employeeId } = wordsAt(people.get(id), at);
  return { id, name: displayName, email, employeeId };
}

/** The history of an item; `people` holds the words of those in `idsInItem`. Whoever acted is named as they were then, and whom it asked as when it ended. */
export function tellHistory(
  row: ReviewItemRow,
  people: ReadonlyMap<string, PersonWords>,
  flagsOf: FlagsOf = {},
  signatures?: ReadonlyMap<string, GivenSignature>,
): ItemHistory {
  const person: NameOf = (id, { createdAt }) => personAt(people, id, new Date(createdAt));
  // What the policy decided behind an approval is of its submission, too, and nobody signed it.
  const signatureOf = ({ by, submissionId }: Decision) => (by === undefined ? null : (signatures?.get(submissionId) ?? null));
  const decisions = readDecisions(row.actions, person).map((decision) =>
    signatures === undefined ? decision : { ...decision, signature: signatureOf(decision) },
  );
  const certifiers = new Map<string, Certifier>();
  for (const { by, inPlaceOf, issuedBy, isAmended, isWithdrawn } of decisions) {
    if (by !== undefined && !isAmended && !isWithdrawn) {
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
    assignedTo: row.assigneeIds.map((id) => personAt(people, id, row.endedAt)),
    certifiers: [...certifiers.values()],
    decisions,
    reassignments: row.actions
      .filter(
        ({ kind, data }) => kind === 'REASSIGNED' || kind === 'HANDED_OVER' || (kind === 'ESCALATED' && data.newUserIds !== undefined),
      )
      .map((action) => ({
        ...(action.kind === 'REASSIGNED'
          ? byWhom(action, person)
          : action.kind === 'ESCALATED'
            ? { isEscalation: true as const }
            : { instead: (action.data.disabledUserIds ?? []).map((id) => person(id, action)) }),
        to: (action.data.newUserIds ?? []).map((id) => person(id, action)),
        at: timeOf(action),
        comment: action.comment,
      })),
    comments: row.actions
      .filter((action) => action.comment !== '')
      .map((action) => ({ ...byWhom(action, person), at: timeOf(action), text: action.comment })),
    submissionIds: [...new Set(row.actions.map((action) => action.submissionId).filter((id) => id !== ''))],
    later: laterActs(row).flatMap(([id, at]) => (id === '' ? [] : [personAt(people, id, new Date(at))])),
  };
}

/** Names somebody as they were at an action. */
type NameOf = (id: string, action: TaskActionRow) => Person;

/** Whoever acted, and who issued what they acted through where that was somebody else. */
function byWhom(action: TaskActionRow, person: NameOf): { by: Person; issuedBy?: Person } {
  const { actorId, issuerId } = action;
  return { by: person(actorId, action), ...(issuerId === '' ? {} : { issuedBy: person(issuerId, action) }) };
}

/** Every decision in the order it was made, each marked where a later action made it history. */
function readDecisions(actions: readonly TaskActionRow[], person: NameOf): Decision[] {
  const decisions: Decision[] = [];
  for (const action of actions) {
    if (action.kind === 'RESTARTED' || action.kind === 'HARD_RESET') {
      decisions.splice(0, decisions.length, ...decisions.map((decision) => ({ ...decision, isWithdrawn: true })));
    } else if (action.kind === 'AMENDED') {
      const at = decisions.findLastIndex(({ by, isAmended, isWithdrawn }) => by?.id === action.actorId && !isAmended && !isWithdrawn);
      const before = decisions[at];
      if (before !== undefined) {
        // What the policy decided behind it fell with it.
        decisions.splice(at, decisions.length - at, ...decisions.slice(at).map((one) => ({ ...one, isAmended: true })));
      }
      const amends = before?.decision ?? (action.data.previousOutcome === 'DECERTIFIED' ? 'DENIED' : 'CERTIFIED');
      decisions.push({ ...byPerson(action, action.data.decision === 'APPROVE', person), amends });
    } else if (action.kind === 'APPROVED' || action.kind === 'DENIED') {
      decisions.push(byPerson(action, action.kind === 'APPROVED', person));
    } else if (action.kind === 'ENDED' && action.data.reason === 'POLICY') {
      decisions.push({ decision: action.data.outcome === 'DECERTIFIED' ? 'DENIED' : 'CERTIFIED', ...commonOf(action) });
    }
  }
  return decisions;
}

function commonOf(action: TaskActionRow): Omit<Decision, 'decision'> {
  return {
    step: action.step + 1,
    at: timeOf(action),
    comment: action.comment,
    submissionId: action.submissionId,
    isAmended: false,
    isWithdrawn: false,
  };
}

function byPerson(action: TaskActionRow, isCertified: boolean, person: NameOf): Decision {
  const { certifyUntil, delegatorId } = action.data;
  return {
    decision: isCertified ? 'CERTIFIED' : 'DENIED',
    ...byWhom(action, person),
    ...(delegatorId === undefined ? {} : { inPlaceOf: person(delegatorId, action) }),
    ...(certifyUntil === undefined ? {} : { until: certifyUntil }),
    ...commonOf(action),
  };
}

function timeOf(action: TaskActionRow): string {
  return new Date(action.createdAt).toISOString();
}

/** `Name <mail address> [employee id]`, or as much of it as there is; of somebody who was erased that they were, and their id. */
export function nameOf({ id, name, email, employeeId }: Person): string {
  if (name === '' && email === '') {
    return id === '' ? '' : `erased (${id})`;
  }
  const called = name === '' || email === '' ? name || email : `${name} <${email}>`;
  return employeeId === '' ? called : `${called} [${employeeId}]`;
}

/** The same, with the id: two people may have one name. */
export function identify(person: Person): string {
  const name = nameOf(person);
  return name === '' || name === `erased (${person.id})` ? name : `${name} (id ${person.id})`;
}

/** Whoever acted, and who issued the credential it was done with where that was somebody else. */
export function nameActor({ by, issuedBy }: { readonly by: Person; readonly issuedBy?: Person | undefined }): string {
  return issuedBy === undefined ? nameOf(by) : `${nameOf(by)} (credential issued by ${nameOf(issuedBy)})`;
}

/** A decision in a few words. */
export function describeDecision(decision: Decision): string {
  const verb = decision.decision === 'CERTIFIED' ? 'Certified' : 'Denied';
  const { amends, by, inPlaceOf, until } = decision;
  const notes = [
    by === undefined ? 'by the policy' : '',
    amends === undefined || by === undefined
      ? ''
      : `amended on ${decision.at} by ${nameOf(by)}, before: ${amends === 'CERTIFIED' ? 'certified' : 'denied'}`,
    inPlaceOf === undefined ? '' : `in place of ${nameOf(inPlaceOf)}`,
    decision.isAmended ? 'amended later' : '',
    decision.isWithdrawn ? 'withdrawn by a restart' : '',
  ].filter((note) => note !== '');
  const what = until === undefined ? verb : `${verb} until ${until}`;
  return notes.length === 0 ? what : `${what} (${notes.join(', ')})`;
}

/** A decision with all there is of it: when, who at which step of the policy, in whose place, what it changed, what became of it, and why. */
export function tellDecision(decision: Decision): string {
  const { amends, at, by, comment, inPlaceOf, issuedBy, step, until } = decision;
  const verb = decision.decision === 'CERTIFIED' ? 'Certified' : 'Denied';
  const notes = [
    `step ${step}`,
    inPlaceOf === undefined ? '' : `in place of ${nameOf(inPlaceOf)}`,
    issuedBy === undefined ? '' : `credential issued by ${nameOf(issuedBy)}`,
    amends === undefined ? '' : `amends what was ${amends === 'CERTIFIED' ? 'certified' : 'denied'}`,
    noteSignature(decision),
    decision.isAmended ? 'amended later' : '',
    decision.isWithdrawn ? 'withdrawn by a restart' : '',
  ].filter((note) => note !== '');
  const what = until === undefined ? verb : `${verb} until ${until}`;
  const why = comment === '' ? '' : `: ${comment}`;
  return `${at} ${what} by ${by === undefined ? 'the policy' : nameOf(by)} (${notes.join(', ')})${why}`;
}

const outcomeWords: Readonly<Record<TaskOutcome, string>> = {
  '': '',
  CERTIFIED: 'Certified',
  DECERTIFIED: 'Revoked',
  CANCELLED: 'Cancelled',
  REVOKED: 'Removed',
  DENIED: 'Denied',
  ERROR: 'Failed',
  WAIT_TIMED_OUT: 'Wait timed out',
};

/** The outcome of an item in words; '' where it has none. */
export const describeOutcome = (outcome: TaskOutcome): string => outcomeWords[outcome];

/** Tells how an item ended that no person decided, or that it is open; '' where the decisions say it all. */
export function describeEnd(row: Pick<ReviewItemRow, 'state' | 'endReason'>): string {
  return row.state === 'OPEN' ? 'Open' : explainEnd(row.endReason);
}

/** A reassignment in a few words: when, by whom or because of whom, to whom, and why. */
export function describeReassignment({ by, issuedBy, instead = [], isEscalation, to, at, comment }: Reassignment): string {
  const names = (people: readonly Person[]): string => people.map(nameOf).join(', ');
  const cause =
    by !== undefined
      ? `by ${nameActor({ by, issuedBy })}`
      : isEscalation === true
        ? 'escalated, because nobody decided in time,'
        : `because ${names(instead)} can no longer review`;
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
