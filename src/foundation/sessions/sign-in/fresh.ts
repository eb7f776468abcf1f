/**
 * Checks that a session is fresh enough to change what signs in. A cookie that was taken, or a browser that was left open, then gives no role and
 * no credential that would outlive it.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { isIssuedSession } from '../../authority/index.ts';
import { findUser } from '../../directory/index.ts';
import { findMailSignIn, mayUseMail } from '../links/index.ts';

/** A sign-in is fresh for so long. */
const freshMs = 600_000;

/** Until when a sign-in is fresh. */
export function freshUntil(provenAt: Date): Date {
  return new Date(provenAt.getTime() + freshMs);
}

/**
 * SIGN_IN_AGAIN where the caller acts in a session, proved too long ago who they are, and has a way to do it again: an active provider, or a link by
 * mail. PERMISSION_DENIED in a session that somebody else issued. API credentials are not asked: each of their tokens was got with the secret.
 */
export async function requireFresh(context: Context, mailsLinks: boolean): Promise<void> {
  const { actor, now } = context;
  if (isIssuedSession(actor)) {
    throw new AppError('PERMISSION_DENIED', 'This session was issued by somebody else. It cannot change what signs in.');
  }
  if (actor.provenAt === undefined || now < freshUntil(actor.provenAt)) {
    return;
  }
  const state = await findMailSignIn(context);
  const isByMail = mailsLinks && mayUseMail(state, (await findUser(context, actor.userId))?.roleIds ?? []);
  if (state.hasProvider || isByMail) {
    throw new AppError(
      'SIGN_IN_AGAIN',
      'This changes what signs in, and you signed in more than 10 minutes ago. Sign in again, then repeat it.',
    );
  }
}
