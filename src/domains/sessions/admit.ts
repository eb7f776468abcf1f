/**
 * Who may have a session at all, and what it gives: the same rule when one is begun and at each of its requests. Pure but for reading the
 * settings of the tenant.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Actor, RoleName } from '../../context.ts';
import { compileSource, maxTokenSeconds } from '../credentials/index.ts';
import { isAdministrator, issuableOf, roleNames, withBasicUser } from '../directory/index.ts';
import { type SessionLimits, usualLimits } from './limits.ts';

/** Where a request comes from. */
export interface Origin {
  readonly sourceIp: string;
  readonly requestId: string;
}

/** Why somebody is refused. */
export type Refusal = 'disabled' | 'not_a_person' | 'issued' | 'address';

/** What is known of the person and the tenant. */
export interface Standing {
  readonly userStatus: string;
  readonly userType: string;
  readonly roleIds: readonly string[];
  /** Who made the link, where that was somebody else. */
  readonly issuerId: string;
  readonly issuedAllowed: boolean;
  readonly settings: JsonObject;
}

/** Why this person may not work in a browser from this address; undefined where they may. */
export function whyRefused(standing: Standing, sourceIp: string): Refusal | undefined {
  if (standing.userStatus !== 'ENABLED') {
    return 'disabled';
  }
  if (standing.userType !== 'HUMAN') {
    return 'not_a_person';
  }
  if (standing.issuerId !== '' && !standing.issuedAllowed) {
    return 'issued';
  }
  const source = isAdministrator(standing.roleIds) ? 'ssoAdminSource' : 'ssoUserSource';
  return compileSource(standing.settings, source)(sourceIp) ? undefined : 'address';
}

/** What is said about it. */
export const refusalMessages: Readonly<Record<Refusal, string>> = {
  disabled: 'This account is disabled. Ask an administrator of Countersign.',
  not_a_person: 'Service principals do not sign in. They use API credentials.',
  issued: 'This tenant turned off access that administrators issue for others.',
  address: 'The session settings of this tenant do not allow this address.',
};

/** The roles a session gives: the person's, or of these what may be issued where somebody else made the link. */
export function rolesOf(roleIds: readonly string[], issuerId: string): ReadonlySet<RoleName> {
  const held = withBasicUser(roleIds);
  return roleNames(issuerId === '' ? held : issuableOf(held));
}

/** The limits that hold: those of the tenant, and never longer than it lets access tokens live. */
export function limitsOf(set: SessionLimits | undefined, settings: JsonObject): SessionLimits {
  const { idleSeconds, lengthSeconds } = set ?? usualLimits;
  return { idleSeconds, lengthSeconds: Math.min(lengthSeconds, maxTokenSeconds(settings)) };
}

/** The person behind a session. */
export function actorOf(
  session: { id: string; userId: string; issuerId: string; roleIds: readonly string[]; delegatorIds: readonly string[] },
  origin: Origin,
): Actor {
  return {
    kind: 'user',
    userId: session.userId,
    credentialId: session.id,
    issuerId: session.issuerId,
    roles: rolesOf(session.roleIds, session.issuerId),
    ...(session.delegatorIds.length === 0 ? {} : { delegatorIds: session.delegatorIds }),
    isSession: true,
    ...origin,
  };
}
