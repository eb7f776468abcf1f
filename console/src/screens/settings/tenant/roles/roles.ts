/** The roles there are, which are the same in every company, and people with those they hold. */
import type { Person } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';

export interface Role {
  readonly id: string;
  readonly name: string;
}

export type Holder = Person;

/** Role everybody holds. */
export const basicUser = '000000000000000000BasicUser';

/** All roles. */
export const rolesQuery = {
  ...read('RoleService.List', { pageSize: 100 }),
  staleTime: 300_000,
};
