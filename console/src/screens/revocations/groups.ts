/** Removals as people ask for them: groups of states, in the order of the figures. */
import type { RequestOf } from '~/data/query.ts';
import type { PlainTextKey } from '~/text/text.ts';
import type { GroupId } from './route.tsx';

type State = NonNullable<RequestOf<'RevocationService.List'>['states']>[number];

interface Group {
  readonly id: GroupId;
  readonly label: PlainTextKey;
  readonly hint: PlainTextKey;
  readonly kind?: 'no' | 'ok';
  readonly states: readonly State[];
}

export const groups: readonly Group[] = [
  {
    id: 'open',
    label: 'revocations.open',
    hint: 'revocations.openHint',
    states: [
      'REVOCATION_STATE_REQUESTED',
      'REVOCATION_STATE_IN_PROGRESS',
      'REVOCATION_STATE_CLAIMED',
      'REVOCATION_STATE_STILL_PRESENT',
      'REVOCATION_STATE_REAPPEARED',
      'REVOCATION_STATE_ERROR',
    ],
  },
  {
    id: 'asked',
    label: 'revocations.asked',
    hint: 'revocations.askedHint',
    states: ['REVOCATION_STATE_REQUESTED', 'REVOCATION_STATE_IN_PROGRESS'],
  },
  { id: 'claimed', label: 'revocations.claimed', hint: 'revocations.claimedHint', states: ['REVOCATION_STATE_CLAIMED'] },
  {
    id: 'still',
    label: 'revocations.still',
    hint: 'revocations.stillHint',
    kind: 'no',
    states: ['REVOCATION_STATE_STILL_PRESENT', 'REVOCATION_STATE_ERROR'],
  },
  { id: 'back', label: 'revocations.back', hint: 'revocations.backHint', kind: 'no', states: ['REVOCATION_STATE_REAPPEARED'] },
  {
    id: 'gone',
    label: 'revocations.gone',
    hint: 'revocations.goneHint',
    kind: 'ok',
    states: ['REVOCATION_STATE_VERIFIED', 'REVOCATION_STATE_ATTESTED'],
  },
  { id: 'held', label: 'revocations.held', hint: 'revocations.heldHint', states: ['REVOCATION_STATE_HELD'] },
];

/** The states of a group. */
export function groupStates(id: GroupId): State[] {
  return [...(groups.find((group) => group.id === id)?.states ?? [])];
}

/** Counts removals in a group, by the counts of states. */
export function groupCount(id: GroupId, counts: ReadonlyMap<string, number>): number {
  return groupStates(id).reduce((sum, state) => sum + (counts.get(String(state)) ?? 0), 0);
}

/** Lists actions on a removal in a state, as far as the state decides it. */
export function possibleActions(state: string | number | undefined): readonly ('claim' | 'confirm' | 'retry')[] {
  switch (state) {
    case 'REVOCATION_STATE_IN_PROGRESS':
    case 'REVOCATION_STATE_STILL_PRESENT':
      return ['claim'];
    case 'REVOCATION_STATE_CLAIMED':
      return ['confirm'];
    case 'REVOCATION_STATE_REAPPEARED':
    case 'REVOCATION_STATE_ERROR':
      return ['retry'];
    default:
      return [];
  }
}
