/** The roles of this installation by id, and their names. */
import { useQuery } from '@tanstack/react-query';
import { useMay } from '~/data/session/session.ts';
import { type Role, rolesQuery } from './roles.ts';

export interface KnownRoles {
  readonly list: readonly Role[];
  readonly nameOf: (id: string) => string;
}

export function useKnownRoles(): KnownRoles {
  const query = useQuery({ ...rolesQuery, enabled: useMay('roles.read') });
  const list = (query.data?.list ?? []).map((role): Role => ({ id: role.id ?? '', name: role.displayName ?? role.name ?? '' }));
  const names = new Map(list.map(({ id, name }) => [id, name]));
  return { list, nameOf: (id) => names.get(id) ?? id };
}
