/** State of a task of a queue for whoever looks at it: what the server says, and what is meant on this device. Pure. */
import { foldForSearch } from '~/data/name-key.ts';
import type { Draft } from '~/data/queue/drafts.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { showHidden } from '~/text/quote-name.ts';

export type MarkState = 'undecided' | 'certified' | 'until' | 'denied' | 'reassigned' | 'gone';

export interface Standing {
  readonly mark: MarkState;
  /** `draft`: meant, not submitted. `mine`, `others`: submitted. `conflict`: somebody was first, and a draft stands beside it. */
  readonly kind: 'open' | 'draft' | 'mine' | 'others' | 'conflict' | 'gone' | 'reassigned' | 'forbidden';
  readonly isDecided: boolean;
}

/** True if the person who looks decided it, or means to. */
export const isMine = ({ kind }: Standing): boolean => kind === 'draft' || kind === 'mine' || kind === 'conflict';

function outcomeOf({ outcome }: QueueRow): MarkState {
  return outcome === 'CERTIFIED' ? 'certified' : outcome === 'DECERTIFIED' ? 'denied' : 'gone';
}

/** The standing of a row with its draft. `me` is the person who looks; `passedTo` names who got the task, where it was reassigned here. */
export function standingOf(row: QueueRow, draft: Draft | undefined, me: string, passedTo?: string): Standing {
  if (passedTo !== undefined) {
    return { mark: 'reassigned', kind: 'reassigned', isDecided: true };
  }
  const isMeant = draft !== undefined && draft.choice !== 'none';
  if (row.state === 'CLOSED') {
    if (isMeant && draft.amend && draft.refused === '') {
      return { mark: draftMark(draft), kind: 'draft', isDecided: true };
    }
    const mark = outcomeOf(row);
    const kind = isMeant ? 'conflict' : mark === 'gone' ? 'gone' : row.decidedByUserId === me ? 'mine' : 'others';
    return { mark, kind, isDecided: true };
  }
  if (isMeant) {
    return draft.refused === ''
      ? { mark: draftMark(draft), kind: 'draft', isDecided: true }
      : { mark: 'undecided', kind: 'conflict', isDecided: true };
  }
  return { mark: 'undecided', kind: (row.actions ?? []).includes('APPROVE') ? 'open' : 'forbidden', isDecided: false };
}

/** The mark of a decision. */
export function draftMark({ choice, until }: Pick<Draft, 'choice' | 'until'>): MarkState {
  return choice === 'deny' ? 'denied' : choice === 'none' ? 'undecided' : until === '' ? 'certified' : 'until';
}

/** Terms that make a task one to decide by itself, or that are never chosen together with the unchanged. */
const neverUnchanged = ['CONFLICT', 'RISK', 'LEAVER', 'ORPHAN'];

/** Reason a row is left out of a decision about several; undefined where it is not. */
export function reasonAlone(row: QueueRow): 'conflict' | 'forbidden' | undefined {
  if ((row.terms ?? []).includes('CONFLICT')) {
    return 'conflict';
  }
  return (row.actions ?? []).includes('APPROVE') ? undefined : 'forbidden';
}

/** True if "Select the unchanged" takes it. */
export function isPlain(row: QueueRow): boolean {
  return reasonAlone(row) === undefined && !(row.terms ?? []).some((term) => neverUnchanged.includes(term));
}

/** The id of the group that a row is in. */
export function groupOf(row: QueueRow, by: 'app' | 'person' | 'resource' | 'list'): string {
  return by === 'app' || by === 'list'
    ? (row.appId ?? '')
    : by === 'person'
      ? row.identityUserId || row.appUserId || ''
      : row.appResourceId || row.appId || '';
}

/** Names who or what holds the access. */
export function holderOf(row: QueueRow): string {
  return showHidden(row.person || row.account || '');
}

/** Names the right: its description, else its name. */
export function rightOf(row: QueueRow): string {
  return showHidden(row.entitlementDescription || nameOf(row));
}

/** The technical name of a right: resource and entitlement, without saying either twice, or the app, which stands beside it. */
export function nameOf({ resource = '', entitlement = '', appDisplayName = '' }: QueueRow): string {
  if (resource === '' || entitlement === resource) {
    return entitlement;
  }
  const own = entitlement.startsWith(`${resource} `) ? entitlement.slice(resource.length + 1) : entitlement;
  return resource === appDisplayName ? own : `${resource} · ${own}`;
}

/** The most that stands well in a question. */
const longestPhrase = 90;

/** Returns a right as a part of a sentence: a short description without its capital and full stop; undefined where there is none. */
export function phraseOf({ entitlementDescription = '' }: QueueRow): string | undefined {
  const words = entitlementDescription.trim().replace(/\.$/, '');
  if (words === '' || words.length > longestPhrase || /[.!?]\s/.test(words)) {
    return undefined;
  }
  const [first = ''] = words.split(/\s/);
  return first.length > 1 && first === first.toUpperCase() ? words : `${(words[0] ?? '').toLowerCase()}${words.slice(1)}`;
}

/** Returns the line beneath: the technical name where a description stands above; the name that stands above already names its resource. */
export function placeOf(row: QueueRow): string {
  return row.entitlementDescription ? nameOf(row) : '';
}

/** Folded names of rows: each key of a filter asks for those of thousands. */
const foldedNames = new WeakMap<QueueRow, string>();

/** True if every word, folded for a search, is part of a name of the row. */
export function matches(row: QueueRow, words: readonly string[]): boolean {
  if (words.length === 0) {
    return true;
  }
  let names = foldedNames.get(row);
  if (names === undefined) {
    names = foldForSearch(
      [row.account, row.person, row.entitlement, row.entitlementDescription, row.resource, row.appDisplayName].join('\n'),
    );
    foldedNames.set(row, names);
  }
  return words.every((word) => names.includes(word));
}
