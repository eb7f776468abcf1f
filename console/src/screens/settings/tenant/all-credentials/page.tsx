/** Every API credential of the company, of people and of programs: what each may do, when it was used, when it ends, and taking it away. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { changeSearch } from '~/app/search.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import type { AllCredentialsSearch } from '~/screens/settings/route.tsx';
import { ConfirmDialog } from '~/screens/settings/tenant/confirm-dialog.tsx';
import { useKnownRoles } from '~/screens/settings/tenant/roles/use-roles.ts';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { credentialsFilter, kindOptions, revoke, showOptions } from './filter.ts';
import { AllCredentialsTable, type OwnedCredential } from './table.tsx';
import { allCredentialsRoute } from '~/screens/settings/route.tsx';

export function AllCredentialsPage() {
  const search = allCredentialsRoute.useSearch();
  const navigate = useNavigate();
  const roles = useKnownRoles();
  const [leaving, setLeaving] = useState<OwnedCredential>();
  // Of the moment the page is opened: a time that moves on would ask anew at each rendering.
  const [now] = useState(() => Date.now());
  const list = useInfiniteQuery({
    ...readPages('CredentialService.Search', { ...credentialsFilter(search, now), pageSize: 50 }),
    enabled: useMay('credentials.read'),
    placeholderData: keepPreviousData,
  });
  const go = (next: AllCredentialsSearch) =>
    void navigate({
      to: '/settings/tenant/credentials',
      search: changeSearch(next),
      replace: true,
    });
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <TenantPage
      title={text('settings.allCredentials')}
      intro={text('allCredentials.intro')}
      reads="credentials.read"
      writes="credentials.write"
    >
      {(mayWrite) => (
        <>
          <FilterBar>
            <SearchBox label={text('allCredentials.find')} value={search.q} onChange={(q) => go({ q })} />
            <Segments
              label={text('allCredentials.kind')}
              value={search.kind ?? ''}
              onChange={(kind) => go({ kind: kind === '' ? undefined : kind })}
              options={kindOptions()}
            />
            <Select
              label={text('allCredentials.show')}
              hideLabel
              value={search.show ?? ''}
              onChange={(show) => go({ show: show === '' ? undefined : show })}
              options={showOptions()}
            />
          </FilterBar>
          <AllCredentialsTable
            query={list}
            empty={<Empty icon="key" title={text(isFiltered ? 'allCredentials.noneSuch' : 'credentials.none')} />}
            rows={pageRows<OwnedCredential>(list.data)}
            roles={roles}
            onRevoke={mayWrite ? setLeaving : undefined}
          />
          {leaving === undefined ? null : (
            <ConfirmDialog
              title={text('credentials.revokeTitle', { name: leaving.displayName ?? '' })}
              words={text('allCredentials.revokeWords', {
                clientId: leaving.clientId ?? '',
                owner: leaving.ownerDisplayName || leaving.ownerEmail || '',
              })}
              action={text('credentials.revoke')}
              done={text('credentials.revoked', { name: leaving.displayName ?? '' })}
              run={() => revoke(leaving)}
              onClose={() => setLeaving(undefined)}
            />
          )}
        </>
      )}
    </TenantPage>
  );
}
