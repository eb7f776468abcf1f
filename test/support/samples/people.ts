/**
 * Sample requests of the operations about people: delegations, profile types, roles, and the attributes of profiles.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'UserService.getUserProfileTypes': (world) => ({ path: { user_id: world.userId } }),
  'UserService.setExpiringUserDelegationBindingByAdmin': (world) => ({
    path: { user_id: world.userId },
    fields: { delegatedUserId: world.basic.id },
  }),
  'RoleService.update': () => ({
    path: { role_id: '000000000000000000BasicUser' },
    fields: { role: { displayName: 'Basic User' } },
  }),
  'ProfileAttributeService.list': () => ({}),
  'ProfileAttributeService.set': () => ({ path: { subject: 'user', name: 'site' }, fields: { type: 'PROFILE_ATTRIBUTE_TYPE_TEXT' } }),
  'ProfileAttributeService.delete': async (world) => {
    const name = `attribute ${Math.random()}`;
    const path = `/api/v1/profile_attributes/account/${encodeURIComponent(name)}`;
    await world.call(world.tenant.admin, 'PUT', path, { type: 'PROFILE_ATTRIBUTE_TYPE_DATE' });
    return { path: { subject: 'account', name } };
  },
  'ProfileAttributeService.search': () => ({ fields: { subject: 'PROFILE_SUBJECT_USER', name: 'site', equals: 'Berlin' } }),
};
