/** Open sessions: every session of the company, of one person if one is chosen, with the end of one or of all of theirs. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '~/data/act.ts';
import { findPeople } from '~/data/inventory/find.ts';
import { useNames } from '~/data/names.ts';
import { pageRows } from '~/data/pages.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay, useSession } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { text } from '~/text/text.ts';
import { ConfirmDialog } from '~/screens/settings/tenant/confirm-dialog.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { SignedInTable, type SignedInRow } from './table.tsx';
import { Fault } from '~/screens/settings/tenant/fault.tsx';
import { signedInRoute } from '~/screens/settings/route.tsx';

export function SignedInPage() {
  const { person } = signedInRoute.useSearch();
  const navigate = useNavigate();
  const session = useSession();
  const [isEndingAll, setEndingAll] = useState(false);
  const list = useInfiniteQuery({
    ...readPages('UserSessionService.Search', { ...(person === undefined ? {} : { users: [{ id: person }] }), pageSize: 50 }),
    enabled: useMay('credentials.read'),
    placeholderData: keepPreviousData,
  });
  const end = useAct('UserSessionService.Delete', 'UserSessionService.Search');
  const rows = pageRows<SignedInRow>(list.data);
  const named = useNames([person]).get(person ?? '') ?? '';
  const name = named || (rows.find(({ userId }) => userId === person)?.displayName ?? '');
  const choose = (id: string | undefined) => void navigate({ to: '/settings/tenant/signed-in', search: { person: id }, replace: true });
  const isOwn = person !== undefined && person === session?.userId;
  return (
    <TenantPage title={text('settings.signedIn')} intro={text('signedIn.intro')} reads="credentials.read" writes="credentials.write">
      {(mayWrite) => (
        <>
          <FilterBar>
            <div className={styles.chooser}>
              <Combobox
                label={text('signedIn.person')}
                hideLabel
                placeholder={text('signedIn.everybody')}
                value={person === undefined ? undefined : { id: person, label: name }}
                onChange={(option) => choose(option?.id)}
                search={findPeople}
              />
            </div>
            {mayWrite && person !== undefined ? (
              <Button variant="danger" onClick={() => setEndingAll(true)}>
                {text(isOwn ? 'signedIn.endOwn' : 'signedIn.endAll')}
              </Button>
            ) : null}
          </FilterBar>
          <Fault of={end.error} />
          <SignedInTable
            query={list}
            empty={<Empty icon="lock" title={text(person === undefined ? 'signedIn.none' : 'signedIn.noneOf', { name })} />}
            rows={rows}
            busyId={end.isPending ? end.variables.id : undefined}
            onEnd={mayWrite ? (id) => end.mutate({ id }) : undefined}
            onPerson={choose}
          />
          {isEndingAll && person !== undefined ? (
            <ConfirmDialog
              title={text('signedIn.endAllTitle', { name })}
              words={text(isOwn ? 'signedIn.endOwnWords' : 'signedIn.endAllWords')}
              action={text(isOwn ? 'signedIn.endOwn' : 'signedIn.endAll')}
              done={text('signedIn.endedAll', { name })}
              run={async () => {
                await call('UserSessionService.EndAll', { userId: person });
                await forget('UserSessionService.Search', 'SessionService.List');
              }}
              onClose={() => setEndingAll(false)}
            />
          ) : null}
        </>
      )}
    </TenantPage>
  );
}
