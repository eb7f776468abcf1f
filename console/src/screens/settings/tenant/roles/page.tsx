/** Holders of each role: the administrators first, and everybody by a search; and a link for somebody who cannot sign in. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { readPages } from '~/data/query.ts';
import { LinkDialog } from '~/app/people/link-dialog.tsx';
import { useMay } from '~/data/session/session.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { text } from '~/text/text.ts';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { basicUser, type Holder } from './roles.ts';
import { RolesDialog } from './roles-dialog.tsx';
import { HolderTable } from './table.tsx';
import { useKnownRoles } from './use-roles.ts';

export function RolesPage() {
  const roles = useKnownRoles();
  const mayLink = useMay('credentials.issue');
  const [query, setQuery] = useState<string>();
  const [changing, setChanging] = useState<Holder>();
  const [linking, setLinking] = useState<Holder>();
  const isSearch = query !== undefined && query !== '';
  const people = useInfiniteQuery({
    ...readPages('UserService.Search', {
      ...(isSearch ? { query } : { roleIds: roles.list.map(({ id }) => id).filter((id) => id !== basicUser) }),
      excludeTypes: ['USER_TYPE_SYSTEM', 'USER_TYPE_SERVICE'],
      sort: 'USER_SORT_NAME',
      pageSize: 50,
    }),
    enabled: roles.list.length > 0,
    placeholderData: keepPreviousData,
  });
  const rows = (people.data?.pages ?? []).flatMap((page) => (page.list ?? []).map((view): Holder => view.user ?? {}));
  return (
    <TenantPage title={text('settings.roles')} intro={text('roles.intro')} reads="roles.read" writes="roles.write">
      {(mayWrite) => (
        <>
          <FilterBar>
            <SearchBox label={text('roles.find')} value={query} onChange={setQuery} />
          </FilterBar>
          <HolderTable
            query={people}
            empty={<Empty icon="search" title={text('roles.noneFound')} />}
            rows={rows}
            roles={roles}
            onRoles={mayWrite ? setChanging : undefined}
            onLink={mayLink ? setLinking : undefined}
          />
          {changing === undefined ? null : <RolesDialog person={changing} roles={roles} onClose={() => setChanging(undefined)} />}
          {linking === undefined ? null : <LinkDialog person={linking} onClose={() => setLinking(undefined)} />}
        </>
      )}
    </TenantPage>
  );
}
