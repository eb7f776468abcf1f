/** Items of a review as the table and their stories show them, out of tasks and the objects beside them. */
import type { NameAt } from '~/data/names-at.ts';
import { expandedAt } from '~/data/expanded.ts';
import type { ReplyOf } from '~/data/query.ts';
import { nameBy } from '~/text/name-by.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import type { ByValue } from '~/text/by-value.ts';

export interface Item {
  readonly id: string;
  readonly person: string;
  readonly personId: string;
  readonly account: string;
  readonly app: string;
  readonly entitlement: string;
  readonly askedIds: readonly string[];
  readonly state: 'undecided' | 'certified' | 'denied' | 'gone';
  readonly isOpen: boolean;
  readonly decidedAt: string | undefined;
  /** The person who decided; empty where none did. */
  readonly decidedById: string;
  /** Another person who issued what they decided through; empty for nobody. */
  readonly decidedIssuerId: string;
  /** Reason it ended, as the server names it; empty while it is open. */
  readonly endReason: string;
  /** The day up to which it is certified. */
  readonly until: string | undefined;
  /** Whether what became of it is signed; undefined while it is open, and where the review asks for no signatures. */
  readonly signed: SignedState | undefined;
}

type SignedState = 'SIGNED' | 'NOT_BY_PERSON' | 'NOT_SIGNED';

type Page = ReplyOf<'TaskService.Search'>;
type View = NonNullable<Page['list']>[number];
type Task = NonNullable<View['task']>;
type Outcome = NonNullable<NonNullable<Task['type']>['certify']>['outcome'];

/** The items of a page. */
export function readItems({ list, expanded }: Page): Item[] {
  return (list ?? []).map((view) => itemOf(view, expanded));
}

/** One item, with the objects that the reply has beside it. */
export function itemOf(view: View, expanded: Page['expanded']): Item {
  const task = view.task ?? {};
  const certify = task.type?.certify ?? {};
  const facts = (task.data ?? {}) as Readonly<Record<string, string | undefined>>;
  const isOpen = isOpenIn[task.state ?? ''] === true;
  const person = expandedAt(expanded, view.identityUserPath);
  const account = expandedAt(expanded, view.appUserPath);
  const entitlement = expandedAt(expanded, view.entitlementsPath);
  return {
    id: task.id ?? '',
    person: person?.displayName || person?.email || '',
    personId: certify.identityUserId ?? '',
    account: account?.displayName || account?.username || account?.email || '',
    app: expandedAt(expanded, view.appPath)?.displayName ?? '',
    entitlement: entitlement?.displayName || task.displayName || '',
    // Who was asked stays known when nobody is any more.
    askedIds: isOpen ? (task.stepApproverIds ?? []) : (task.approverIds ?? []),
    state: isOpen ? 'undecided' : (endings[certify.outcome ?? ''] ?? 'gone'),
    isOpen,
    decidedAt: certify.outcomeTime,
    decidedById: facts['decidedByUserId'] ?? '',
    decidedIssuerId: facts['decidedIssuerId'] ?? '',
    endReason: facts['endReason'] ?? '',
    until: facts['certifyUntil'],
    signed: (task.data?.['signature'] as { readonly state?: SignedState } | undefined)?.state,
  };
}

const reasons: Readonly<Record<string, PlainTextKey>> = {
  DECIDED: 'item.byPolicy',
  CARRIED: 'item.carried',
  SKIPPED_AT_CLOSE: 'item.skippedAtClose',
  REVOKED_AT_CLOSE: 'item.revokedAtClose',
  NO_ACTION_AT_CLOSE: 'item.noActionAtClose',
  GRANT_GONE: 'item.grantGone',
  OBJECT_GONE: 'item.grantGone',
  CANCELLED: 'item.cancelled',
  ESCALATED: 'item.escalated',
  STEP_SKIPPED: 'item.stepsSkipped',
  WAIT_TIMED_OUT: 'item.waited',
};

/** Names who or what ended an item, and whether nobody signed that where the review asks for signatures. */
export function sayDecided(item: Item, nameAt: NameAt): string {
  if (item.isOpen) {
    return text('review.undecided');
  }
  const who = sayWho(item, nameAt);
  const isSigned = item.signed === undefined || item.signed === 'SIGNED';
  return isSigned ? who : text(item.signed === 'NOT_SIGNED' ? 'item.withoutSignature' : 'item.signedByNobody', { who });
}

function sayWho(item: Item, nameAt: NameAt): string {
  const name = item.decidedById === '' ? undefined : nameAt(item.decidedById, item.decidedAt) || item.decidedById;
  return name !== undefined
    ? nameBy(name, nameAt(item.decidedIssuerId, item.decidedAt) || item.decidedIssuerId)
    : text(reasons[item.endReason] ?? 'review.gone');
}

const isOpenIn: ByValue<Task['state'], boolean> = { TASK_STATE_OPEN: true, TASK_STATE_CLOSED: false };
const endings: ByValue<Outcome, Item['state']> = {
  CERTIFY_OUTCOME_CERTIFIED: 'certified',
  CERTIFY_OUTCOME_DECERTIFIED: 'denied',
  CERTIFY_OUTCOME_ERROR: 'gone',
  CERTIFY_OUTCOME_CANCELLED: 'gone',
  CERTIFY_OUTCOME_WAIT_TIMED_OUT: 'gone',
};
