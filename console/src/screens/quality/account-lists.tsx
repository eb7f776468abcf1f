/** Accounts without an owner: all of them, or those that match several people. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountOwner } from '../../app/account-owner.tsx';
import { type Account, accountName, nameOf, type Person } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { read, readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import styles from './quality.module.css';

interface AccountRow {
  readonly account: Account;
  /** Whom it may belong to. */
  readonly candidates: readonly Person[];
}

export function AccountLists({ isAmbiguous }: { isAmbiguous: boolean }) {
  const { app: appId } = useSearch({ strict: false }) as { app?: string };
  const mayWrite = useMay('inventory.write');
  const [opened, setOpened] = useState<AccountRow | undefined>();
  const request = { pageSize: 50, ...(appId === undefined ? {} : { appId }) };
  const unowned = useInfiniteQuery({ ...readPages('IdentityService.ListUnownedAccounts', request), enabled: !isAmbiguous });
  const ambiguous = useInfiniteQuery({ ...readPages('IdentityService.ListAmbiguousAccounts', request), enabled: isAmbiguous });
  const query = isAmbiguous ? ambiguous : unowned;
  const rows: AccountRow[] = isAmbiguous
    ? rowsOf(ambiguous.data).map(({ appUser = {}, candidates = [] }) => ({ account: appUser, candidates }))
    : rowsOf(unowned.data).map((account) => ({ account, candidates: [] }));
  return (
    <Load<unknown> query={query}>
      {() =>
        rows.length === 0 ? (
          <Empty icon="check" title={text(isAmbiguous ? 'quality.none.ambiguous' : 'quality.none.nobody')} />
        ) : (
          <>
            <Table
              label={text(isAmbiguous ? 'quality.tab.ambiguous' : 'quality.tab.nobody')}
              rows={rows}
              rowKey={({ account }) => `${account.appId} ${account.id}`}
              columns={[
                {
                  id: 'account',
                  head: text('quality.account'),
                  cell: ({ account }) => (
                    <span className={styles.two}>
                      <Name strong>{accountName(account)}</Name>
                      <small>
                        <Name>{account.email}</Name>
                      </small>
                    </span>
                  ),
                },
                { id: 'app', head: text('quality.app'), cell: ({ account }) => <AppOf account={account} /> },
                ...(isAmbiguous
                  ? [
                      {
                        id: 'who',
                        head: text('quality.candidates'),
                        narrow: 'second' as const,
                        cell: ({ candidates }: AccountRow) => (
                          <span className={styles.people}>
                            {candidates.map((person) => (
                              <Link key={person.id} to={`/people/${person.id}/facts` as string}>
                                <Name>{nameOf(person)}</Name>
                              </Link>
                            ))}
                          </span>
                        ),
                      },
                    ]
                  : []),
                {
                  id: 'next',
                  head: text('quality.next'),
                  narrow: 'second',
                  cell: (row) =>
                    mayWrite ? (
                      <Button onClick={() => setOpened(row)} aria-label={text('quality.setOwnerOf', { name: accountName(row.account) })}>
                        {text('quality.setOwner')}
                      </Button>
                    ) : (
                      '–'
                    ),
                },
              ]}
            />
            <Pages query={query} />
            {opened === undefined ? null : (
              <AccountOwner
                key={opened.account.id}
                account={opened.account}
                owner={opened.candidates[0]}
                onClose={() => setOpened(undefined)}
              />
            )}
          </>
        )
      }
    </Load>
  );
}

function AppOf({ account }: { account: Account }) {
  const { data } = useQuery({ ...read('AppService.Get', { id: account.appId ?? '' }), staleTime: 60_000 });
  return (
    <Link to={`/apps/${account.appId}/accounts` as string}>
      <Name>{data?.app?.displayName}</Name>
    </Link>
  );
}
