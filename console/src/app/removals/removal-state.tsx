/** State of the removal of denied access, in a word with a dot. */
import { Dot } from '~/parts/words/dot.tsx';
import type { Removal } from '~/data/inventory/removals.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

const states: ByValue<Removal['state'], readonly [PlainTextKey, 'ok' | 'no' | 'warn' | 'info' | 'plain']> = {
  REVOCATION_STATE_HELD: ['removal.held', 'plain'],
  REVOCATION_STATE_REQUESTED: ['removal.requested', 'plain'],
  REVOCATION_STATE_REFUSED: ['removal.refused', 'plain'],
  REVOCATION_STATE_IN_PROGRESS: ['removal.asked', 'info'],
  REVOCATION_STATE_CLAIMED: ['removal.claimed', 'warn'],
  REVOCATION_STATE_STILL_PRESENT: ['removal.stillThere', 'no'],
  REVOCATION_STATE_VERIFIED: ['removal.gone', 'ok'],
  REVOCATION_STATE_ATTESTED: ['removal.attested', 'ok'],
  REVOCATION_STATE_REAPPEARED: ['removal.cameBack', 'no'],
  REVOCATION_STATE_ERROR: ['removal.failed', 'no'],
  REVOCATION_STATE_CANCELLED: ['removal.withdrawn', 'plain'],
};

/** The word of a state. */
export function removalWord(state: Removal['state']): string {
  const [word] = states[state ?? ''] ?? [];
  return word === undefined ? '' : text(word);
}

export function RemovalState({ state }: { state: Removal['state'] }) {
  const [, kind = 'plain'] = states[state ?? ''] ?? [];
  return <Dot kind={kind}>{removalWord(state)}</Dot>;
}
