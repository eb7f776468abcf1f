/** The roles that the person who is signed in holds, by name. Who may not read roles has one alone, and nothing to choose. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay, useSession } from '~/data/session/session.ts';
import type { HeldRole } from './types.ts';

export interface OwnRoles {
  /** All roles there are, by id. */
  readonly nameOf: (id: string) => string;
  readonly held: readonly HeldRole[];
}

export function useRoles(): OwnRoles {
  const session = useSession();
  const mayRead = useMay('roles.read');
  const mayReadOwn = useMay('inventory.read');
  const all = useQuery({ ...read('RoleService.List', { pageSize: 100 }), enabled: mayRead });
  const own = useQuery({
    ...read('UserRoleService.GetRoles', { userId: session?.userId ?? '' }),
    enabled: mayRead && mayReadOwn && session !== undefined,
  });
  const names = new Map((all.data?.list ?? []).map((role) => [role.id ?? '', role.displayName ?? role.name ?? '']));
  const held = (own.data?.roleIds ?? []).flatMap((id) => (names.has(id) ? [{ id, name: names.get(id) ?? '' }] : []));
  return { nameOf: (id) => names.get(id) ?? id, held };
}
