/** State of the removal of denied access, in a word with a dot. */
import { Dot } from '~/parts/words/dot.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';

const states: Readonly<Record<string, readonly [PlainTextKey, 'ok' | 'no' | 'warn' | 'info' | 'plain']>> = {
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
export function removalWord(state: string | number | undefined): string {
  const [word] = states[String(state)] ?? [];
  return word === undefined ? '' : text(word);
}

export function RemovalState({ state }: { state: string | number | undefined }) {
  const [, kind = 'plain'] = states[String(state)] ?? [];
  return <Dot kind={kind}>{removalWord(state)}</Dot>;
}
