/** The public interface of the part session: what a session is, how it begins, and how long it lives. */
export { type Origin, type Refusal, sessionActor, limitsOf, refusalMessages, whyRefused } from './admit.ts';
export { changeSessionLimits, readSessionLimits } from './change-limits.ts';
export { getDraftKey } from './draft-key.ts';
export { createSignInFailures, type FailedSignIn, type NoteFailure } from './failures.ts';
export { ownPathOr } from './is-own-path.ts';
export { usualLimits, whyOver } from './limits.ts';
export { type SelfEndReason, whyEnds } from './why-ends.ts';
export { getCurrent, listAll, listOwn } from './read-sessions.ts';
export { type StartedSession, findRefusal, startSession } from './start-session.ts';
export {
  type SessionRow,
  endSession,
  endSessionsOf,
  endSessionsOfProvider,
  findLimits,
  findLiveSession,
  findOwnSession,
  findSession,
  listOwnAddresses,
  updateLastUsed,
} from './store.ts';
export { hashSecret, isSecret, makeSecret, matchesDigest } from './token.ts';
export { getHasProviderSql, hasProvider, isProgramSession, lockLiveSession } from './reads.ts';
