/** Who is signed in: every session of the company, of one person if one is chosen, with the end of one or of all of theirs. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../../../data/act.ts';
import { findPeople } from '../../../../data/find.ts';
import { useNames } from '../../../../data/names.ts';
import { rowsOf } from '../../../../data/pages.ts';
import { call, forget, readPages } from '../../../../data/query.ts';
import { useMay, useSession } from '../../../../data/session.ts';
import { Button } from '../../../../parts/button.tsx';
import { Combobox } from '../../../../parts/combobox.tsx';
import { Empty } from '../../../../parts/empty.tsx';
import { FilterBar } from '../../../../parts/filter-bar.tsx';
import { Load } from '../../../../parts/load.tsx';
import { Pages } from '../../../../parts/pages.tsx';
import { text } from '../../../../text/text.ts';
import type { SignedInSearch } from '../../route.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import styles from '../tenant.module.css';
import { TenantPage } from '../tenant-page.tsx';
import { SignedInTable, type SignedInRow } from './table.tsx';
import { Fault } from '../fault.tsx';

export function SignedInPage() {
  const { person } = useSearch({ strict: false }) as SignedInSearch;
  const navigate = useNavigate();
  const session = useSession();
  const [isEndingAll, setEndingAll] = useState(false);
  const list = useInfiniteQuery({
    ...readPages('UserSessionService.Search', { ...(person === undefined ? {} : { users: [{ id: person }] }), pageSize: 50 }),
    enabled: useMay('credentials.read'),
    placeholderData: keepPreviousData,
  });
  const end = useAct('UserSessionService.Delete', 'UserSessionService.Search');
  const rows = rowsOf<SignedInRow>(list.data);
  const named = useNames([person]).get(person ?? '') ?? '';
  const name = named || (rows.find(({ userId }) => userId === person)?.displayName ?? '');
  const choose = (id: string | undefined) =>
    void navigate({ to: '/settings/tenant/signed-in' as string, search: { person: id } as never, replace: true });
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
          <Load
            query={list}
            empty={<Empty icon="lock" title={text(person === undefined ? 'signedIn.none' : 'signedIn.noneOf', { name })} />}
          >
            {() => (
              <SignedInTable
                rows={rows}
                busyId={end.isPending ? end.variables.id : undefined}
                onEnd={mayWrite ? (id) => end.mutate({ id }) : undefined}
                onPerson={choose}
              />
            )}
          </Load>
          <Pages query={list} />
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
