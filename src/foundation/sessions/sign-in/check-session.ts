/**
 * Person behind the cookie of a request, right now. Nothing of it is remembered between requests: a session that ended, a person who was disabled,
 * and a changed setting act with the next request.
 */
import type { Actor, Context } from '../../../context.ts';
import { type Origin, sessionActor, hashSecret, findSession, isSecret, updateLastUsed, whyEnds, whyRefused } from '../session/index.ts';
import { type EndReason, endOne } from './end-sessions.ts';

/** Reason a cookie does not count; for the client. */
export type SessionRefusal = 'none' | 'over' | 'address' | 'other';

/** A use is written down once in so many milliseconds. */
const touchEveryMs = 60_000;

/** Way a token came: in the cookie of a browser, or in the header of a program that signed in from a terminal. */
export type TokenPlace = 'cookie' | 'header';

/**
 * The actor behind a token, or why there is none. A session that is found to be over is ended, for good. The token of a browser is none in a
 * header, nor that of a program in a cookie. `mailsLinks` says whether mail leaves this installation.
 */
export async function checkSession(
  context: Context,
  token: string,
  origin: Origin,
  mailsLinks: boolean,
  place: TokenPlace = 'cookie',
): Promise<Actor | SessionRefusal> {
  const state = isSecret(token) ? await findSession(context, hashSecret(token), mailsLinks) : undefined;
  if (state === undefined || (state.how === 'DEVICE') !== (place === 'header')) {
    return 'none';
  }
  const why = whyEnds(state, context.now);
  if (why !== undefined) {
    await endOne(context, state, why);
    return 'over';
  }
  // From another network it is good again: the restriction is of places, not of sessions.
  if (whyRefused({ ...state, settings: state.settings ?? {} }, origin.sourceIp) !== undefined) {
    return 'address';
  }
  // A page that is still open does not act as whoever signed in after it.
  if (origin.signedInAs !== undefined && origin.signedInAs !== state.userId) {
    return 'other';
  }
  const before = new Date(context.now.getTime() - touchEveryMs);
  if (state.lastUsedAt <= before) {
    await updateLastUsed(context, state.id, before);
  }
  return sessionActor(state, origin);
}

/** Ends the session of this token and says whether there was one: signing out, and signing in again in the same browser. */
export async function endByToken(context: Context, token: string, why: EndReason): Promise<boolean> {
  const state = isSecret(token) ? await findSession(context, hashSecret(token), false) : undefined;
  if (state === undefined) {
    return false;
  }
  const { sourceIp, requestId } = context.actor;
  const actor = sessionActor(state, { sourceIp, requestId });
  return endOne({ ...context, actor }, state, why);
}
