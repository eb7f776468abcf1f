/** Person here that a provider speaks of, or why nobody is. Reads people and identities; begins no session. */
import type { Context } from '../../../context.ts';
import { getProvenDomain, isSameAddress } from '../../../lib/names/same-address.ts';
import { findUser, findUserByEmail, holdPerson, type UserRow } from '../../directory/index.ts';
import type { ProviderSettings } from './auth-config.ts';
import { hasMovedSince, settlingMs } from '../links/index.ts';
import type { Claims } from './provider-client.ts';
import { findIdentity, type KnownIdentity } from './store-auth-configs.ts';

/** Reason nobody is recognized. */
export type Unrecognized = 'claims' | 'unverified' | 'unknown' | 'address_changed';

/** A person, and whether they were found by their address and not by who they were the last time. */
export interface Recognized {
  readonly user: UserRow;
  readonly isNew: boolean;
  /** Person whom the subject was until now; empty for nobody, or the same. */
  readonly formerUserId: string;
}

/** Finds why an address proves nobody; undefined where it does. */
export function whyUnproven(claims: Claims, settings: Pick<ProviderSettings, 'trustsAddresses' | 'domains'>): Unrecognized | undefined {
  const { email, isVerified } = claims;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    return 'unknown';
  }
  if (!isVerified && !settings.trustsAddresses) {
    return 'unverified';
  }
  const domain = getProvenDomain(email.slice(email.indexOf('@') + 1));
  return settings.domains.length > 0 && !settings.domains.includes(domain) ? 'unknown' : undefined;
}

/** True if the provider says of somebody all that the configuration asks for. */
export function hasClaims(claims: Claims, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const found = Object.hasOwn(claims.all, name) ? claims.all[name] : undefined;
    return Array.isArray(found) ? found.map(String).includes(value) : found !== undefined && String(found) === value;
  });
}

/** True while a subject is whom it was linked to: as long as the address by which that was proven is the person's, without a break. */
export function isStillLinked({ address, changes }: Omit<KnownIdentity, 'userId'>, email: string): boolean {
  return changes === 0 && isSameAddress(address, email);
}

/** The link of a subject and its person, if there is one; whoever is changing the address of that person is waited for. */
async function findLinked(
  context: Context,
  issuer: string,
  subject: string,
): Promise<{ identity: KnownIdentity; user: UserRow } | undefined> {
  const linked = await findIdentity(context, issuer, subject);
  if (linked === undefined) {
    return undefined;
  }
  await holdPerson(context, linked.userId);
  const [identity, user] = [await findIdentity(context, issuer, subject), await findUser(context, linked.userId)];
  // Somebody who was deleted and taken in again is another user with the same address.
  if (identity === undefined || user === undefined || identity.userId !== user.id || user.status === 'DELETED') {
    return undefined;
  }
  return { identity, user };
}

/**
 * The person: whoever the subject of the issuer was before, whatever address it has there now; or the one with the address that the provider
 * proves, where nobody was, or where the address by which the subject was linked is not that person's any more. An address may have been given
 * to somebody by mistake: who signed in by it then is not them once it is put right.
 */
export async function recognize(context: Context, claims: Claims, settings: ProviderSettings): Promise<Recognized | Unrecognized> {
  if (claims.subject === '') {
    return 'unknown';
  }
  if (!hasClaims(claims, settings.exactMatchClaims)) {
    return 'claims';
  }
  const known = await findLinked(context, settings.issuer, claims.subject);
  if (known !== undefined && isStillLinked(known.identity, known.user.email)) {
    return { user: known.user, isNew: false, formerUserId: '' };
  }
  const why = whyUnproven(claims, settings);
  if (why !== undefined) {
    return why;
  }
  const found = await findUserByEmail(context, claims.email);
  if (found === undefined) {
    return 'unknown';
  }
  await holdPerson(context, found.id);
  const user = await findUser(context, found.id);
  // The directory also finds who has an address that merely looks like this one: nobody has proven that.
  if (user === undefined || user.status === 'DELETED' || !isSameAddress(user.email, claims.email)) {
    return 'unknown';
  }
  const formerUserId = known === undefined || known.user.id === user.id ? '' : known.user.id;
  // Whoever was this person until their address changed, once, and has the new one at the provider, too, is them still.
  if (known?.user.id === user.id && known.identity.changes === 1) {
    return { user, isNew: true, formerUserId };
  }
  // An address that somebody has just been given proves nobody yet.
  const hasMoved = await hasMovedSince(context, user.id, new Date(context.now.getTime() - settlingMs));
  return hasMoved ? 'address_changed' : { user, isNew: true, formerUserId };
}
