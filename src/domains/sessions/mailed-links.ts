/**
 * Links that somebody asks for by their mail address, before anybody knows who they are. The answer is the same for every address. The secret is
 * derived from the link when its mail is written, so that nothing which is stored on the way holds it.
 */
import { hkdfSync } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { findUserByEmail } from '../directory/index.ts';
import { findTenant, type Tenant } from '../tenants/index.ts';
import { ownPathOr } from './is-own-path.ts';
import type { Pace } from './pace.ts';
import { linkSeconds } from './sign-in-links.ts';
import { findRefusal, recordRefusal } from './start-session.ts';
import { findLink, insertLink } from './store-links.ts';
import { digestOf } from './token.ts';

/** Who asks for a link. */
export interface LinkRequest {
  readonly email: string;
  /** Where the browser wants to go afterwards. */
  readonly to: string | undefined;
  /** The secret of the browser's cookie: the link works in that browser alone. */
  readonly browserSecret: string;
}

const longestAddress = 320;

function secretOf(tenantSecret: Uint8Array, linkId: string): string {
  return Buffer.from(hkdfSync('sha256', tenantSecret, '', `countersign sign-in link ${linkId}`, 32)).toString('base64url');
}

/** INVALID_ARGUMENT for what is no address, RATE_LIMITED where too many links were asked for, for one address or from one place. */
export function checkRequest(tenant: Tenant, email: string, sourceIp: string, paces: { byAddress: Pace; byPlace: Pace }): void {
  if (email.length > longestAddress || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new AppError('INVALID_ARGUMENT', 'email: must be a mail address', {
      violations: [{ field: 'email', description: 'must be a mail address' }],
    });
  }
  // Both count, whether there is such a person or not.
  const isWithin = [paces.byPlace.take(`${tenant.id} ${sourceIp}`), paces.byAddress.take(`${tenant.id} ${email.toLowerCase()}`)];
  if (isWithin.includes(false)) {
    throw new AppError('RATE_LIMITED', 'Too many links were asked for. Wait ten minutes, or use the latest one.', {
      retryAfterSeconds: linkSeconds,
    });
  }
}

/** Makes the link where there is somebody to send it to; nothing happens otherwise, and nobody learns which it was. */
export function makeMailedLink(context: Context, tenant: Tenant, request: LinkRequest): Promise<void> {
  return inTransaction(context, async (inside) => {
    const user = await findUserByEmail(inside, request.email);
    if (user === undefined || user.status === 'DELETED') {
      return;
    }
    const refusal = await findRefusal(inside, user, '');
    if (refusal !== undefined) {
      await recordRefusal(inside, user.id, 'LINK', refusal);
      return;
    }
    const id = newId(inside.now);
    await insertLink(inside, {
      id,
      secretHash: digestOf(secretOf(tenant.secret, id)),
      userId: user.id,
      issuerId: '',
      browserHash: digestOf(request.browserSecret),
      toPath: ownPathOr(request.to),
      expiresAt: new Date(inside.now.getTime() + linkSeconds * 1000),
    });
    await recordEvent(inside, { kind: 'sign_in_link.requested', targetType: 'sign_in_link', targetId: id, data: { userId: user.id } });
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
  if (link === undefined || tenant === undefined || link.usedAt !== null || link.expiresAt <= context.now) {
    return undefined;
  }
  return { userId: link.userId, token: `${id}${secretOf(tenant.secret, id)}`, expiresAt: link.expiresAt };
}
