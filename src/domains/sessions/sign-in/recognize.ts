/** Person here that a provider speaks of, or why nobody is. Reads people and identities; begins no session. */
import type { Context } from '../../../context.ts';
import { isSameAddress } from '../../../lib/names/same-address.ts';
import { findUser, findUserByEmail, type UserRow } from '../../directory/index.ts';
import type { ProviderSettings } from './auth-config.ts';
import { hasMovedSince, settlingMs } from '../links/index.ts';
import type { Claims } from './provider-client.ts';
import { findIdentity } from './store-auth-configs.ts';

/** Reason nobody is recognized. */
export type Unrecognized = 'claims' | 'unverified' | 'unknown' | 'address_changed';

/** A person, and whether they were found by their address and not by who they were the last time. */
export interface Recognized {
  readonly user: UserRow;
  readonly isNew: boolean;
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
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase();
  return settings.domains.length > 0 && !settings.domains.includes(domain) ? 'unknown' : undefined;
}

/** True if the provider says of somebody all that the configuration asks for. */
export function hasClaims(claims: Claims, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const found = Object.hasOwn(claims.all, name) ? claims.all[name] : undefined;
    return Array.isArray(found) ? found.map(String).includes(String(value)) : found !== undefined && String(found) === String(value);
  });
}

/**
 * The person: whoever the subject of the issuer was before, whatever address it has now; or the one with the address that the provider
 * proves, where nobody was.
 */
export async function recognize(context: Context, claims: Claims, settings: ProviderSettings): Promise<Recognized | Unrecognized> {
  if (claims.subject === '') {
    return 'unknown';
  }
  if (!hasClaims(claims, settings.exactMatchClaims)) {
    return 'claims';
  }
  const knownId = await findIdentity(context, settings.issuer, claims.subject);
  const known = knownId === undefined ? undefined : await findUser(context, knownId);
  // Somebody who was deleted and taken in again is another user with the same address.
  if (known !== undefined && known.status !== 'DELETED') {
    return { user: known, isNew: false };
  }
  const why = whyUnproven(claims, settings);
  if (why !== undefined) {
    return why;
  }
  const user = await findUserByEmail(context, claims.email);
  // The directory also finds who has an address that merely looks like this one: nobody has proven that.
  if (user === undefined || user.status === 'DELETED' || !isSameAddress(user.email, claims.email)) {
    return 'unknown';
  }
  // An address that somebody has just been given proves nobody yet.
  const hasMoved = await hasMovedSince(context, user.id, new Date(context.now.getTime() - settlingMs));
  return hasMoved ? 'address_changed' : { user, isNew: true };
}
