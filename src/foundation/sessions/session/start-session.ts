/** Beginning a session for a person who proved who they are; how they proved it is for the caller. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../audit/index.ts';
import { findSessionSettings } from '../../credentials/index.ts';
import type { UserRow } from '../../directory/index.ts';
import { sessionActor, type Refusal, whyRefused } from './admit.ts';
import { findIssuedAllowed, insertSession, type NewSession } from './store.ts';
import { hashSecret, makeSecret } from './token.ts';

/** Person who signs in, how, and from where. */
export interface SignIn {
  readonly user: UserRow;
  readonly issuerId: string;
  readonly how: NewSession['how'];
  /** Empty for a link; for a sign-in from a terminal without an id, and the program's name. */
  readonly provider: { readonly id: string; readonly displayName: string };
  /** As the browser or program names itself. */
  readonly browser: string;
  /** See NewSession; left out for now. */
  readonly boundAt?: Date | null;
  readonly provenAt?: Date | null;
}

/** A session that has begun; the token is nowhere else. */
export interface StartedSession {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
}

const longestBrowser = 400;

/** Finds why the tenant lets this person not sign in from here; undefined where it does. */
export async function findRefusal(context: Context, user: UserRow, issuerId: string): Promise<Refusal | undefined> {
  const settings = await findSessionSettings(context);
  const issuedAllowed = issuerId === '' || (await findIssuedAllowed(context));
  const { status: userStatus, userType, roleIds } = user;
  return whyRefused({ userStatus, userType, roleIds, issuerId, issuedAllowed, settings }, context.actor.sourceIp);
}

/** Begins the session with a token of its own, in the transaction of what proved the person. */
export async function startSession(context: Context, signIn: SignIn): Promise<StartedSession> {
  const { user, issuerId, how, provider, browser, boundAt = null, provenAt = null } = signIn;
  const id = newId(context.now);
  const token = makeSecret();
  const { sourceIp, requestId } = context.actor;
  await insertSession(context, {
    id,
    tokenHash: hashSecret(token),
    userId: user.id,
    issuerId,
    how,
    providerId: provider.id,
    address: sourceIp,
    browser: browser.slice(0, longestBrowser),
    boundAt,
    provenAt,
  });
  const actor = sessionActor(
    { id, userId: user.id, issuerId, roleIds: user.roleIds, delegatorIds: [], provenAt: provenAt ?? context.now },
    { sourceIp, requestId },
  );
  await recordEvent(
    { ...context, actor },
    {
      kind: 'session.started',
      targetId: id,
      data: { userId: user.id, how: how.toLowerCase(), provider: provider.displayName },
    },
  );
  return { id, token, userId: user.id };
}
