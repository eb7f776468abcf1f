/** Reason that a session is over which nobody ended: asked at each request, and by whatever begins another session on the strength of one. Pure. */
import { limitsOf } from './admit.ts';
import { whyOver } from './limits.ts';
import type { SessionState } from './store.ts';

/** Reason a session is over by itself. */
export type SelfEndReason = 'disabled' | 'address_changed' | 'issuer_disabled' | 'issued_access_off' | 'expired' | 'idle';

/** Finds why the session itself is over; undefined while it lives. A person who was away since it began has to sign in again, back or not. */
export function whyEnds(state: SessionState, now: Date): SelfEndReason | undefined {
  const settings = state.settings ?? {};
  const set =
    state.idleSeconds === null || state.lengthSeconds === null
      ? undefined
      : { idleSeconds: state.idleSeconds, lengthSeconds: state.lengthSeconds };
  if (state.userStatus !== 'ENABLED' || state.wasAway) {
    return 'disabled';
  }
  if (state.hasMoved) {
    return 'address_changed';
  }
  if (state.isIssuerGone) {
    return 'issuer_disabled';
  }
  if (state.issuerId !== '' && !state.issuedAllowed) {
    return 'issued_access_off';
  }
  return whyOver(state, limitsOf(set, settings), now);
}
