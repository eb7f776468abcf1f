/** The accounts of a person, app by app. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountOwner } from '../../app/account-owner.tsx';
import { expandedAt } from '../../data/expanded.ts';
import { type Account, accountName, type App } from '../../data/inventory.ts';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';

interface AccountRow {
  readonly account: Account;
  readonly app: App | undefined;
}

export function Accounts({ userId }: { userId: string }) {
  const mayWrite = useMay('inventory.write');
  const [opened, setOpened] = useState<Account | undefined>();
  const query = useInfiniteQuery(
    readPages('AppUserService.Search', { userIds: [userId], expandMask: { paths: ['app_id'] }, pageSize: 50 }),
  );
  const rows = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).map((view): AccountRow => ({ account: view.appUser ?? {}, app: expandedAt<App>(page.expanded, view.appPath) })),
  );
  return (
    <Load query={query}>
      {() =>
        rows.length === 0 ? (
          <Empty icon="people" title={text('people.noAccounts')} />
        ) : (
          <>
            <Table
              label={text('people.tab.accounts')}
              rows={rows}
              rowKey={({ account }) => account.id ?? ''}
              columns={[
                { id: 'account', head: text('people.account'), cell: ({ account }) => <Name strong>{accountName(account)}</Name> },
                {
                  id: 'app',
                  head: text('people.app'),
                  cell: ({ app, account }) => (
                    <Link to={`/apps/${account.appId}/accounts` as string}>
                      <Name>{app?.displayName}</Name>
                    </Link>
                  ),
                },
                { id: 'mail', head: text('people.mail'), narrow: 'hide', cell: ({ account }) => <Name>{account.email}</Name> },
                {
                  id: 'status',
                  head: text('people.status'),
                  narrow: 'second',
                  cell: ({ account }) =>
                    account.status?.status === 'STATUS_ENABLED' ? (
                      <Chip kind="ok">{text('people.enabled')}</Chip>
                    ) : (
                      <Chip>{text('people.disabled')}</Chip>
                    ),
                },
                {
                  id: 'change',
                  head: '',
                  align: 'end',
                  narrow: 'second',
                  cell: ({ account }) =>
                    mayWrite ? (
                      <Button
                        variant="quiet"
                        aria-label={text('people.changeOwnerOf', { name: accountName(account) })}
                        onClick={() => setOpened(account)}
                      >
                        {text('people.changeOwner')}
                      </Button>
                    ) : null,
                },
              ]}
            />
            <Pages query={query} />
            {opened === undefined ? null : (
              <AccountOwner key={opened.id} account={opened} owner={undefined} onClose={() => setOpened(undefined)} />
            )}
          </>
        )
      }
    </Load>
  );
}
