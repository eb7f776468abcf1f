/** Links that sign somebody in once: made for a person, and opened. Sending one by mail is not here. */
import { AppError } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { isId, newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../audit/index.ts';
import { isSystem } from '../../authority/index.ts';
import { hasNoBounds } from '../../credentials/index.ts';
import { findUser, holdPerson, type UserRow } from '../../directory/index.ts';
import {
  type NoteFailure,
  type StartedSession,
  hashSecret,
  findOwnSession,
  findRefusal,
  makeSecret,
  matchesDigest,
  refusalMessages,
  startSession,
} from '../session/index.ts';
import { findMailRefusal } from './mail-sign-in.ts';
import { findLink, insertLink, type LinkRow, lockLink, updateUsedLink } from './store-links.ts';

/** A link lives so long. */
export const linkSeconds = 600;
/** The first link of an installation and that of the demo wait in a terminal or a file until somebody comes to them. */
export const printedSeconds = 86_400;

/** A link that was made; the token is nowhere else. */
export interface MadeLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The one answer to every link that is not good, so that it says nothing of the person. */
const spent = 'This link was used before, has expired, or was asked for in another browser. Ask for a new one.';

/** The enabled person a link is made for; NOT_FOUND for nobody, FAILED_PRECONDITION for who cannot sign in. */
async function requirePerson(context: Context, userId: string): Promise<UserRow> {
  const user = await findUser(context, userId);
  if (user === undefined || user.status === 'DELETED') {
    throw new AppError('NOT_FOUND', 'There is no such user.');
  }
  if (user.status !== 'ENABLED' || user.userType !== 'HUMAN') {
    throw new AppError('FAILED_PRECONDITION', 'A sign-in link can only be made for an enabled person.');
  }
  return user;
}

/**
 * Finds whose a link is that gives less than the person has: that of whoever makes it for somebody else. A credential that is bounded makes such a
 * link for its own owner too, or a session would be its way out of its bounds.
 */
async function issuerOf(context: Context, userId: string): Promise<string> {
  const { actor } = context;
  if (isSystem(actor)) {
    return '';
  }
  if (actor.userId !== userId) {
    return actor.userId;
  }
  return actor.issuerId !== '' || (await hasNoBounds(context)) ? actor.issuerId : actor.userId;
}

/**
 * Makes a link that whoever holds it can open, in any browser. One that a person makes for somebody else gives what a credential gives that
 * they issue. The caller is permitted already.
 */
export function printLink(context: Context, userId: string, seconds = linkSeconds): Promise<MadeLink> {
  return inTransaction(context, async (inside) => {
    const user = await requirePerson(inside, userId);
    const { now } = inside;
    const issuerId = await issuerOf(inside, user.id);
    if (issuerId !== '' && (await findRefusal(inside, user, issuerId)) === 'issued') {
      throw new AppError('FAILED_PRECONDITION', refusalMessages.issued);
    }
    const id = newId(now);
    const secret = makeSecret();
    const expiresAt = new Date(now.getTime() + seconds * 1000);
    // A session that prints itself a link gets no new proof and no more time by it.
    const printing = inside.actor.provenAt === undefined ? undefined : await findOwnSession(inside, inside.actor.credentialId);
    const { boundAt = null, provenAt = null } = printing ?? {};
    const bounds = { boundAt, provenAt, expiresAt };
    await insertLink(inside, { id, secretHash: hashSecret(secret), userId: user.id, issuerId, browserHash: null, toPath: '', ...bounds });
    await recordEvent(inside, {
      kind: 'sign_in_link.made',
      targetId: id,
      data: { userId: user.id, expiresAt: expiresAt.toISOString() },
    });
    return { token: `${id}${secret}`, expiresAt };
  });
}

/** Data that a browser sends with a link. */
export interface LinkOpening {
  readonly token: string;
  /** The secret of the cookie that binds links to the browser which asked for them; empty for none. */
  readonly browserSecret: string;
  /** As the browser names itself. */
  readonly browser: string;
}

/** Session that came of it. */
export interface OpenedLink extends StartedSession {
  readonly toPath: string;
}

/** True if a link can still be spent: once, in time, and by who the person was all the while. */
export function isOpen(link: LinkRow, now: Date): boolean {
  return link.usedAt === null && now < link.expiresAt && !link.wasAway && !link.hasMoved && !link.isIssuerGone;
}

function isGood(link: LinkRow, { token, browserSecret }: LinkOpening, now: Date): boolean {
  const isBound = link.browserHash === null || matchesDigest(browserSecret, link.browserHash);
  return matchesDigest(token.slice(27), link.secretHash) && link.usedAt === null && now < link.expiresAt && isBound;
}

/**
 * Spends a link and begins a session. UNAUTHENTICATED with one message for whatever is wrong with the link, PERMISSION_DENIED with the
 * reason where the person may not sign in, or not from here; then the link is not spent. `note` takes what was refused.
 */
export async function openLink(context: Context, opening: LinkOpening, note: NoteFailure): Promise<OpenedLink> {
  const id = opening.token.slice(0, 27);
  const result = await inTransaction(context, async (inside) => {
    const known = isId(id) ? await findLink(inside, id) : undefined;
    if (known === undefined) {
      return 'spent';
    }
    // A session that begins beside a change of the person, which this transaction would not see otherwise, would outlive it.
    await holdPerson(inside, known.userId);
    const link = await lockLink(inside, id);
    const user = link !== undefined && isGood(link, opening, inside.now) ? await findUser(inside, link.userId) : undefined;
    if (link === undefined || user === undefined) {
      return 'spent';
    }
    const isMailed = link.browserHash !== null;
    const refusal = (await findRefusal(inside, user, link.issuerId)) ?? (isMailed ? await findMailRefusal(inside, user) : undefined);
    if (refusal !== undefined) {
      note({ how: 'link', why: refusal, userId: user.id });
      return refusal;
    }
    // Whoever was away since, or has another address, asks for a new one.
    if (!isOpen(link, inside.now)) {
      return 'spent';
    }
    await updateUsedLink(inside, link.id);
    const provider = { id: '', displayName: '' };
    const how = isMailed ? 'MAIL' : 'LINK';
    const { boundAt, provenAt } = link;
    const started = await startSession(inside, {
      user,
      issuerId: link.issuerId,
      how,
      provider,
      browser: opening.browser,
      boundAt,
      provenAt,
    });
    return { ...started, toPath: link.toPath };
  });
  if (result === 'spent') {
    note({ how: 'link', why: result, userId: '' });
    throw new AppError('UNAUTHENTICATED', spent);
  }
  if (typeof result === 'string') {
    throw new AppError('PERMISSION_DENIED', refusalMessages[result]);
  }
  return result;
}
