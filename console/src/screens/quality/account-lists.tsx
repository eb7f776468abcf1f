/** Accounts without an owner: all of them, or those that match several people. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountOwner } from '~/app/people/account-owner.tsx';
import { type Account, accountName, personName, type Person } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { read, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import styles from './quality.module.css';
import { qualityRoute } from './route.tsx';

interface AccountRow {
  readonly account: Account;
  /** Possible owners. */
  readonly candidates: readonly Person[];
}

export function AccountLists({ isAmbiguous }: { isAmbiguous: boolean }) {
  const { app: appId } = qualityRoute.useSearch();
  const mayWrite = useMay('inventory.write');
  const [opened, setOpened] = useState<AccountRow | undefined>();
  const request = { pageSize: 50, ...(appId === undefined ? {} : { appId }) };
  const unowned = useInfiniteQuery({ ...readPages('IdentityService.ListUnownedAccounts', request), enabled: !isAmbiguous });
  const ambiguous = useInfiniteQuery({ ...readPages('IdentityService.ListAmbiguousAccounts', request), enabled: isAmbiguous });
  const query = isAmbiguous ? ambiguous : unowned;
  const rows: AccountRow[] = isAmbiguous
    ? pageRows(ambiguous.data).map(({ appUser = {}, candidates = [] }) => ({ account: appUser, candidates }))
    : pageRows(unowned.data).map((account) => ({ account, candidates: [] }));
  return (
    <>
      <Table
        query={query}
        empty={<Empty icon="check" title={text(isAmbiguous ? 'quality.none.ambiguous' : 'quality.none.nobody')} />}
        label={text(isAmbiguous ? 'quality.tab.ambiguous' : 'quality.tab.nobody')}
        rows={rows}
        rowKey={({ account }) => `${account.appId} ${account.id}`}
        columns={(column) => [
          column('account', text('quality.account'), ({ account }) => (
            <span className={styles.two}>
              <Name strong>{accountName(account)}</Name>
              <small>
                <Name>{account.email}</Name>
              </small>
            </span>
          )),
          column('app', text('quality.app'), ({ account }) => <AppOf account={account} />),
          ...(isAmbiguous
            ? [
                column(
                  'who',
                  text('quality.candidates'),
                  ({ candidates }: AccountRow) => (
                    <span className={styles.people}>
                      {candidates.map((person) => (
                        <Link key={person.id} to="/people/$person/$tab" params={{ person: person.id ?? '', tab: 'facts' }}>
                          <Name>{personName(person)}</Name>
                        </Link>
                      ))}
                    </span>
                  ),
                  { narrow: 'second' },
                ),
              ]
            : []),
          column(
            'next',
            text('quality.next'),
            (row) =>
              mayWrite ? (
                <Button onClick={() => setOpened(row)} aria-label={text('quality.setOwnerOf', { name: accountName(row.account) })}>
                  {text('quality.setOwner')}
                </Button>
              ) : (
                '–'
              ),
            { narrow: 'second' },
          ),
        ]}
      />
      {opened === undefined ? null : (
        <AccountOwner key={opened.account.id} account={opened.account} owner={opened.candidates[0]} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

function AppOf({ account }: { account: Account }) {
  const { data } = useQuery({ ...read('AppService.Get', { id: account.appId ?? '' }), staleTime: 60_000 });
  return (
    <Link to="/apps/$app/$tab" params={{ app: account.appId ?? '', tab: 'accounts' }}>
      <Name>{data?.app?.displayName}</Name>
    </Link>
  );
}
