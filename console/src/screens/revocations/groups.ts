/** Removals as people ask for them: groups of states, in the order of the figures. */
import type { RequestOf } from '~/data/query.ts';
import type { ByValue } from '~/text/by-value.ts';
import type { PlainTextKey } from '~/text/text.ts';
import type { GroupId } from './route.tsx';

type State = NonNullable<RequestOf<'RevocationService.List'>['states']>[number];

interface Group {
  readonly id: GroupId;
  readonly label: PlainTextKey;
  readonly hint: PlainTextKey;
  readonly kind?: 'no' | 'ok';
}

export const groups: readonly Group[] = [
  { id: 'open', label: 'revocations.open', hint: 'revocations.openHint' },
  { id: 'asked', label: 'revocations.asked', hint: 'revocations.askedHint' },
  { id: 'claimed', label: 'revocations.claimed', hint: 'revocations.claimedHint' },
  { id: 'still', label: 'revocations.still', hint: 'revocations.stillHint', kind: 'no' },
  { id: 'back', label: 'revocations.back', hint: 'revocations.backHint', kind: 'no' },
  { id: 'gone', label: 'revocations.gone', hint: 'revocations.goneHint', kind: 'ok' },
  { id: 'held', label: 'revocations.held', hint: 'revocations.heldHint' },
];

type Action = 'claim' | 'confirm' | 'retry';

/** Groups of a removal in each state, and actions on it as far as the state decides them. */
const states: ByValue<State, { readonly in: readonly GroupId[]; readonly actions: readonly Action[] }> = {
  REVOCATION_STATE_HELD: { in: ['held'], actions: [] },
  REVOCATION_STATE_REQUESTED: { in: ['open', 'asked'], actions: [] },
  REVOCATION_STATE_REFUSED: { in: [], actions: [] },
  REVOCATION_STATE_IN_PROGRESS: { in: ['open', 'asked'], actions: ['claim'] },
  REVOCATION_STATE_CLAIMED: { in: ['open', 'claimed'], actions: ['confirm'] },
  REVOCATION_STATE_STILL_PRESENT: { in: ['open', 'still'], actions: ['claim'] },
  REVOCATION_STATE_VERIFIED: { in: ['gone'], actions: [] },
  REVOCATION_STATE_ATTESTED: { in: ['gone'], actions: [] },
  REVOCATION_STATE_REAPPEARED: { in: ['open', 'back'], actions: ['retry'] },
  REVOCATION_STATE_ERROR: { in: ['open', 'still'], actions: ['retry'] },
  REVOCATION_STATE_CANCELLED: { in: [], actions: [] },
};

/** The states of a group. */
export function groupStates(id: GroupId): State[] {
  return (Object.keys(states) as State[]).filter((state) => states[state]?.in.includes(id));
}

/** Counts removals in a group, by the counts of states. */
export function groupCount(id: GroupId, counts: ReadonlyMap<State | undefined, number>): number {
  return groupStates(id).reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
}

/** Lists actions on a removal in a state, as far as the state decides it. */
export function possibleActions(state: State | undefined): readonly Action[] {
  return states[state ?? '']?.actions ?? [];
}
