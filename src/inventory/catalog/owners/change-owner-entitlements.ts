/** Additions of the second version to change-owners.ts: roles, and entitlements that own. */
import { AppError, invalidField } from '../../../errors.ts';
import type { DecideOwners } from './change-owners.ts';
import { requireOwners } from './change-owners.ts';
import { defaultRole, listEntitlementsByIds, requireEntitlement } from '../record/index.ts';
import type { Context } from '../../../context.ts';

/** An entitlement that owns. */
export interface OwningEntitlement {
  readonly appId: string;
  readonly id: string;
}

/** Names an owning entitlement for stores. */
export const entitlementKey = ({ appId, id }: OwningEntitlement): string => `${appId}/${id}`;

const slug = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The role that a request names, the default one where it names none. INVALID_ARGUMENT for what cannot be one. */
export function readRole(roleSlug: string): string {
  if (roleSlug !== '' && !slug.test(roleSlug)) {
    throw invalidField('roleSlug', `must be 1 to 64 letters, digits, "-", "_" or ".", and begin with a letter or a digit`);
  }
  return roleSlug === '' ? defaultRole : roleSlug;
}

/** Exactly these people and entitlements, in this order. INVALID_ARGUMENT for those who are not there, and too many. */
export const exactlyBoth =
  (userIds: readonly string[], entitlements: readonly OwningEntitlement[]): DecideOwners =>
  async (context) => {
    await requireOwners(context, userIds, 'userRefs');
    await requireOwningEntitlements(context, entitlements);
    return { people: userIds, entitlements: entitlements.map(entitlementKey) };
  };

async function requireOwningEntitlements(context: Context, wanted: readonly OwningEntitlement[]): Promise<void> {
  const found = await listEntitlementsByIds(
    context,
    wanted.map(({ id }) => id),
  );
  const violations = wanted.flatMap(({ appId, id }, index) => {
    const row = found.get(id);
    return row !== undefined && row.appId === appId && row.deletedAt === null
      ? []
      : [
          {
            field: `appEntitlementRefs[${index}]`,
            description: `no entitlement of this app has the id ${JSON.stringify(id.slice(0, 64))}`,
          },
        ];
  });
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', 'appEntitlementRefs names an entitlement that does not exist.', { violations });
  }
}

/** One entitlement more, fine where it is one already. NOT_FOUND where it is not there. */
export const oneEntitlementMore =
  (one: OwningEntitlement): DecideOwners =>
  async (context, before) => {
    await requireEntitlement(context, one.appId, one.id);
    return { ...before, entitlements: [...before.entitlements, entitlementKey(one)] };
  };

/** One entitlement fewer, fine where it is none. NOT_FOUND where there never was such an entitlement. */
export const oneEntitlementFewer =
  (one: OwningEntitlement): DecideOwners =>
  async (context, before) => {
    const isOwner = before.entitlements.includes(entitlementKey(one));
    if (!isOwner && (await listEntitlementsByIds(context, [one.id])).get(one.id)?.appId !== one.appId) {
      throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
    }
    return { ...before, entitlements: before.entitlements.filter((ref) => ref !== entitlementKey(one)) };
  };
