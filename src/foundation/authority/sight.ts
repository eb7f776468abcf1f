/**
 * Sight: how much of an object an actor sees. Whoever may know of an object sees it whole or as a card; this file says who sees what whole, and
 * which members a card has. Whether the actor may know of the object at all is decided where it is looked for. Nothing here reads the database.
 */
import type { App, AppEntitlement, AppResource, AppUser } from '../../gen/c1/api/app/v1/app_pb.js';
import type { Policy } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { User } from '../../gen/c1/api/user/v1/user_pb.js';
import type { Actor } from '../../context.ts';
import type { Row } from '../../wire/row.ts';
import { holds } from './permissions.ts';

/** The kinds of objects that are seen whole or as a card. */
interface Seen {
  readonly person: Row<User>;
  readonly app: Row<App>;
  readonly resource: Row<AppResource>;
  readonly entitlement: Row<AppEntitlement>;
  readonly account: Row<AppUser>;
  readonly policy: Row<Policy>;
}

/** A kind of object that is seen whole or as a card. */
export type SightKind = keyof Seen;

/** Grounds of an actor's sight beside their roles: the apps they own. Administrators see without it. */
export interface Sight {
  readonly actor: Actor;
  readonly ownedAppIds: ReadonlySet<string>;
}

/** Viewers of whole objects, by kind, in words, and the card's members. A grant is shown by its entitlement, its account and its owner. */
export const sights: { readonly [K in SightKind]: { readonly whole: string; readonly card: readonly (keyof Seen[K])[] } } = {
  person: {
    whole: 'administrators and the person',
    card: ['id', 'displayName', 'email', 'emails', 'department', 'jobTitle'],
  },
  app: {
    whole: 'administrators and owners of the app',
    card: [
      'id',
      'displayName',
      'description',
      'iconUrl',
      'logoUri',
      'appOwners',
      'isDirectory',
      'isManuallyManaged',
      'createdAt',
      'updatedAt',
      'deletedAt',
    ],
  },
  resource: {
    whole: 'administrators and owners of the app',
    card: [
      'id',
      'appId',
      'appResourceTypeId',
      'parentAppResourceId',
      'parentAppResourceTypeId',
      'displayName',
      'description',
      'customDescription',
      'externalId',
      'grantCount',
      'createdAt',
      'updatedAt',
      'deletedAt',
    ],
  },
  entitlement: {
    whole: 'administrators and owners of the app',
    card: [
      'id',
      'appId',
      'appResourceId',
      'appResourceTypeId',
      'displayName',
      'description',
      'alias',
      'slug',
      'externalId',
      'purpose',
      'riskLevelValueId',
      'complianceFrameworkValueIds',
      'grantCount',
      'systemBuiltin',
      'isManuallyManaged',
      'createdAt',
      'updatedAt',
      'deletedAt',
    ],
  },
  account: {
    whole: 'administrators, owners of the app and the owner of the account',
    card: [
      'id',
      'appId',
      'displayName',
      'email',
      'emails',
      'username',
      'usernames',
      'appUserType',
      'status',
      'isExternal',
      'identityUserId',
      'ownerByFormerAddress',
      'createdAt',
      'updatedAt',
      'deletedAt',
    ],
  },
  policy: {
    whole: 'administrators',
    card: ['id', 'displayName', 'description', 'policyType', 'systemBuiltin', 'createdAt', 'updatedAt', 'deletedAt'],
  },
};

/** True if the actor reads the whole inventory: people, apps and what is in them. The program itself does. */
export function seesInventory(actor: Actor): boolean {
  return actor.kind === 'system' || holds(actor, 'inventory.read');
}

/** True if the actor sees this person whole. */
export function seesPersonWhole(actor: Actor, userId: string): boolean {
  return seesInventory(actor) || (actor.userId !== '' && actor.userId === userId);
}

/** True if the actor sees this app, and what is in it, whole. */
export function seesAppWhole({ actor, ownedAppIds }: Sight, appId: string): boolean {
  return seesInventory(actor) || ownedAppIds.has(appId);
}

/** True if the actor sees an account whole, which this person owns. */
export function seesAccountWhole(sight: Sight, { appId, userId }: { readonly appId: string; readonly userId: string | null }): boolean {
  return seesAppWhole(sight, appId) || (userId !== null && userId !== '' && userId === sight.actor.userId);
}

/** True if the actor sees policies whole. */
export function seesPoliciesWhole(actor: Actor): boolean {
  return actor.kind === 'system' || holds(actor, 'policies.read');
}

/** The object, or its card. */
export function asSeen<K extends SightKind, T extends Partial<Seen[K]>>(kind: K, isWhole: boolean, object: T): T {
  if (isWhole) {
    return object;
  }
  const card: readonly PropertyKey[] = sights[kind].card;
  return Object.fromEntries(Object.entries(object).filter(([member]) => card.includes(member))) as T;
}

/** The kinds as a table of Markdown: who sees each whole, and what others see. */
export function describeSights(): string {
  const rows = Object.entries(sights).map(
    ([kind, { whole, card }]) => `| ${kind} | ${whole} | ${card.map((member) => `\`${member}\``).join(', ')} |`,
  );
  return ['| Kind | Seen whole by | Others see |', '| --- | --- | --- |', ...rows].join('\n');
}
