/**
 * Facts on actors: the kinds of people, what they read by their roles alone, and who stands behind them. What they may do is in the files beside
 * this one; nothing here reads the database.
 */
import type { Actor, RoleName } from '../../context.ts';

/** True if the actor acts as a Super Administrator (the credential's narrowing counted in). */
export function isSuperAdmin(actor: Actor): boolean {
  return actor.roles.has('SUPER_ADMINISTRATOR');
}

/** True if the actor acts with this role, the credential's narrowing counted in. What a role allows is asked with `holds`. */
export function hasRole(actor: Actor, role: RoleName): boolean {
  return actor.roles.has(role);
}

/** Returns the roles that the actor acts with. */
export function rolesHeld(actor: Actor): readonly RoleName[] {
  return [...actor.roles];
}

/** True if the program itself acts. */
export function isSystem(actor: Actor): boolean {
  return actor.kind === 'system';
}

/** True if a source acts: an identity provider with its SCIM token, or a connector. */
export function isSource(actor: Actor): boolean {
  return actor.kind === 'source';
}

/** True if a program acts, as a service principal. */
export function isServicePrincipal(actor: Actor): boolean {
  return actor.kind === 'service_principal';
}

/** True if the actor is a person who came by what they sign in with themselves. */
export function isThemselves(actor: Actor): boolean {
  return actor.kind === 'session' || actor.kind === 'credential';
}

/** True if the actor is a person in a session that somebody else issued. */
export function isIssuedSession(actor: Actor): boolean {
  return actor.kind === 'issued_session';
}

/** True if the actor may read everything of the tenant: a Super Administrator or a Read-Only Administrator. */
export function seesEverything(actor: Actor): boolean {
  return isSuperAdmin(actor) || actor.roles.has('READ_ONLY_ADMINISTRATOR');
}

/** True if the actor came with the cookie of a browser. */
export function isBySession(actor: Actor): boolean {
  return actor.kind === 'session' || actor.kind === 'issued_session';
}

/** Those who act when this actor acts: the actor, and whoever made or issued what it acts through. */
export function peopleBehind(actor: Actor): readonly string[] {
  return [...new Set([actor.userId, actor.issuerId, ...(actor.makerIds ?? [])])].filter((id) => id !== '');
}

/** True if this person acts when the actor acts. */
export function isBehind(actor: Actor, userId: string | null | undefined): boolean {
  return typeof userId === 'string' && userId !== '' && peopleBehind(actor).includes(userId);
}

/** True if whoever acted in the past (themselves, and by whose issue) acts when the actor acts. */
export function hasActed(actor: Actor, past: { readonly actorId: string; readonly issuerId: string }): boolean {
  return isBehind(actor, past.actorId) || isBehind(actor, past.issuerId);
}

/** The kind as events keep it: people are `user`, however they came; the issuer stands beside it. */
export function eventActorKind(actor: Actor): 'user' | 'service_principal' | 'source' | 'system' | 'anonymous' {
  switch (actor.kind) {
    case 'session':
    case 'credential':
    case 'issued_session':
    case 'issued_credential':
      return 'user';
    default:
      return actor.kind;
  }
}
