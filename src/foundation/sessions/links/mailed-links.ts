/**
 * Links that somebody asks for by their mail address, before anybody knows who they are. The answer is the same for every address. The secret is
 * derived from the link when its mail is written, so that nothing which is stored on the way holds it.
 */
import { hkdfSync } from 'node:crypto';
import { AppError } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../audit/index.ts';
import { findUserByEmail, holdPerson } from '../../directory/index.ts';
import { getAddressKey } from '../../../lib/names/same-name.ts';
import { clientPlace } from '../../../lib/place.ts';
import { type Counted, type Rate, type Rates, rates as limits } from '../../rates/index.ts';
import { findTenant, type Tenant } from '../../tenants/index.ts';
import { hashSecret, findRefusal, listOwnAddresses, type NoteFailure, ownPathOr } from '../session/index.ts';
import { findMailRefusal } from './mail-sign-in.ts';
import { isOpen, linkSeconds } from './sign-in-links.ts';
import { hasMovedSince } from './store-address-changes.ts';
import { findLink, insertLink } from './store-links.ts';

/** Somebody who asks for a link. */
export interface LinkRequest {
  readonly email: string;
  /** Path the browser wants afterwards. */
  readonly to: string | undefined;
  /** The secret of the browser's cookie: the link works in that browser alone. */
  readonly browserSecret: string;
}

const longestAddress = 320;
/** Whoever changes an address gets no link to it for so long: meanwhile a mail to the old one reports the change. */
export const settlingMs = 24 * 3_600_000;

function secretOf(tenantSecret: Uint8Array, linkId: string): string {
  return Buffer.from(hkdfSync('sha256', tenantSecret, '', `countersign sign-in link ${linkId}`, 32)).toString('base64url');
}

/**
 * True if a link is to be made. INVALID_ARGUMENT for what is no address, RATE_LIMITED where too many links were asked for, for one address or from
 * one place. A browser that asked for a link to the address before is answered then all the same, without another one: it has one to spend. All of
 * it counts whether there is such a person or not.
 */
export async function checkRequest(tenant: Tenant, request: LinkRequest, sourceIp: string, rates: Rates): Promise<boolean> {
  const { email, browserSecret } = request;
  if (email.length > longestAddress || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new AppError('INVALID_ARGUMENT', 'email: must be a mail address', {
      violations: [{ field: 'email', description: 'must be a mail address' }],
    });
  }
  const place = clientPlace(sourceIp);
  const address = getAddressKey(email);
  const count = (rate: Rate, subject: string): Promise<Counted> => rates.count(tenant.id, rate, subject);
  // A place beyond its limit adds nothing to the address of somebody else.
  let counted = await count(limits.linkByPlace, place);
  counted = counted.within === 0 ? counted : await count(limits.linkByAddress, `${address} ${place}`);
  counted = counted.within === 0 ? counted : await count(limits.linkByAddressOfAll, address);
  if (counted.within > 0) {
    return true;
  }
  const has = await rates.has(tenant.id, limits.linkByBrowser, browserSubject(browserSecret, address));
  if (has) {
    return false;
  }
  const { retryAfterSeconds } = counted;
  throw new AppError('RATE_LIMITED', 'Too many links were asked for. Wait ten minutes, or use the latest one.', { retryAfterSeconds });
}

/** Remembers that a browser asked for a link to an address, which there may be nobody with. */
export async function noteRequest(tenant: Tenant, browserSecret: string, email: string, rates: Rates): Promise<void> {
  await rates.count(tenant.id, limits.linkByBrowser, browserSubject(browserSecret, getAddressKey(email)));
}

function browserSubject(browserSecret: string, address: string): string {
  return `${hashSecret(browserSecret).toString('base64')} ${address}`;
}

/**
 * True if one more mail may go to a person today. Strangers use up what all places together may ask for, and not what a place may where the person
 * signed in before: there they still get in. The first one that is too many is noted, and no other of that day.
 */
async function isWithinDay(context: Context, userId: string, rates: Rates, note: NoteFailure): Promise<boolean> {
  const place = clientPlace(context.actor.sourceIp);
  const isKnown = (await listOwnAddresses(context, userId)).some((address) => clientPlace(address) === place);
  const subject = isKnown ? `${userId} ${place}` : userId;
  if ((await rates.count(context.tenantId, limits.mailedLinkOfDay, subject)).within > 0) {
    return true;
  }
  if ((await rates.count(context.tenantId, limits.mailedLinkEventOfDay, subject)).within > 0) {
    note({ how: 'mail', why: 'too_many', userId });
  }
  return false;
}

/** Makes the link where there is somebody to send it to; nothing happens otherwise, and nobody learns which it was. */
export async function makeMailedLink(
  context: Context,
  tenant: Tenant,
  request: LinkRequest,
  rates: Rates,
  note: NoteFailure,
): Promise<void> {
  const asked = await findUserByEmail(context, request.email);
  if (asked === undefined || asked.status === 'DELETED' || !(await isWithinDay(context, asked.id, rates, note))) {
    return;
  }
  await inTransaction(context, async (inside) => {
    const user = await findUserByEmail(inside, request.email);
    if (user === undefined || user.status === 'DELETED') {
      return;
    }
    // An address that is being changed is changed before the link: its mail would go to the new one.
    await holdPerson(inside, user.id);
    const hasMoved = await hasMovedSince(inside, user.id, new Date(inside.now.getTime() - settlingMs));
    const refusal =
      (await findRefusal(inside, user, '')) ?? (await findMailRefusal(inside, user)) ?? (hasMoved ? 'address_changed' : undefined);
    if (refusal !== undefined) {
      note({ how: 'mail', why: refusal, userId: user.id });
      return;
    }
    const id = newId(inside.now);
    await insertLink(inside, {
      id,
      secretHash: hashSecret(secretOf(tenant.secret, id)),
      userId: user.id,
      issuerId: '',
      browserHash: hashSecret(request.browserSecret),
      toPath: ownPathOr(request.to),
      expiresAt: new Date(inside.now.getTime() + linkSeconds * 1000),
      boundAt: null,
      provenAt: null,
    });
    await recordEvent(inside, { kind: 'sign_in_link.requested', targetId: id, data: { userId: user.id } });
  });
}

/** A link that waits for its mail. */
export interface MailedLink {
  readonly userId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** The link as its mail says it; undefined once it was used or has expired. */
export async function findMailedLink(context: Context, id: string): Promise<MailedLink | undefined> {
  const link = await findLink(context, id);
  const tenant = await findTenant(context.db, context.tenantId);
  if (link === undefined || tenant === undefined || !isOpen(link, context.now)) {
    return undefined;
  }
  return { userId: link.userId, token: `${id}${secretOf(tenant.secret, id)}`, expiresAt: link.expiresAt };
}
