/**
 * Right to have a session at all, and what it gives: the same rule when one is begun and at each of its requests. Pure but for reading the settings
 * of the tenant.
 */
import type { SessionSettingsJson } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import type { Actor, RoleName } from '../../../context.ts';
import { compileSource, maxTokenSeconds } from '../../credentials/index.ts';
import { isAdministrator, issuableOf, roleNames, withBasicUser } from '../../directory/index.ts';
import { type SessionLimits, usualLimits } from './limits.ts';

/** Place a request comes from. */
export interface Origin {
  readonly sourceIp: string;
  readonly requestId: string;
  /** Person whom the page that asks was made for; undefined for requests that name none. */
  readonly signedInAs?: string | undefined;
}

/** Reason somebody is refused. */
export type Refusal = 'disabled' | 'not_a_person' | 'issued' | 'address' | 'mail_off';

/** Facts known of the person and the tenant. */
export interface Standing {
  readonly userStatus: string;
  readonly userType: string;
  readonly roleIds: readonly string[];
  /** Maker of the link, where that was somebody else. */
  readonly issuerId: string;
  readonly issuedAllowed: boolean;
  readonly settings: SessionSettingsJson;
}

/** Finds why this person may not work in a browser from this address; undefined where they may. */
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

/** Message of each reason. */
export const refusalMessages: Readonly<Record<Refusal, string>> = {
  disabled: 'This account is disabled. Ask an administrator of Countersign.',
  not_a_person: 'Service principals do not sign in. They use API credentials.',
  issued: 'This tenant turned off access that administrators issue for others.',
  address: 'The session settings of this tenant do not allow this address.',
  mail_off: 'This tenant does not let you sign in by mail. Sign in with the identity provider.',
};

/** The roles a session gives: the person's, or of these what may be issued where somebody else made the link. */
export function sessionRoles(roleIds: readonly string[], issuerId: string): ReadonlySet<RoleName> {
  const held = withBasicUser(roleIds);
  return roleNames(issuerId === '' ? held : issuableOf(held));
}

/** The limits that hold: those of the tenant, and never longer than it lets access tokens live. */
export function limitsOf(set: SessionLimits | undefined, settings: SessionSettingsJson): SessionLimits {
  const { idleSeconds, lengthSeconds } = set ?? usualLimits;
  return { idleSeconds, lengthSeconds: Math.min(lengthSeconds, maxTokenSeconds(settings)) };
}

/** The person behind a session. One that a bounded credential printed for its own owner is issued by nobody else. */
export function sessionActor(
  session: {
    readonly id: string;
    readonly userId: string;
    readonly issuerId: string;
    readonly issuedMayAnswer?: boolean;
    readonly makerIds?: readonly string[];
    readonly roleIds: readonly string[];
    readonly delegatorIds: readonly string[];
    readonly provenAt: Date;
  },
  origin: Origin,
): Actor {
  const { id, userId, issuerId, issuedMayAnswer = false, makerIds = [], roleIds, delegatorIds, provenAt } = session;
  const isIssued = issuerId !== '' && issuerId !== userId;
  return {
    kind: isIssued ? 'issued_session' : 'session',
    userId,
    credentialId: id,
    issuerId,
    ...(isIssued ? { issuedMayAnswer } : {}),
    ...(makerIds.length === 0 ? {} : { makerIds }),
    roles: sessionRoles(roleIds, issuerId),
    provenAt,
    ...(delegatorIds.length === 0 ? {} : { delegatorIds }),
    ...origin,
  };
}
