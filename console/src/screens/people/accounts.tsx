/** The accounts of a person, app by app. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountOwner } from '~/app/people/account-owner.tsx';
import { FormerAddress } from '~/app/people/former-address.tsx';
import { expandedAt } from '~/data/expanded.ts';
import { type Account, accountName, type App } from '~/data/inventory/inventory.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';

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
    <>
      <Table
        query={query}
        empty={<Empty icon="people" title={text('people.noAccounts')} />}
        label={text('people.tab.accounts')}
        rows={rows}
        rowKey={({ account }) => account.id ?? ''}
        columns={(column) => [
          column('account', text('people.account'), ({ account }) => <Name strong>{accountName(account)}</Name>),
          column('app', text('people.app'), ({ app, account }) => (
            <Link to="/apps/$app/$tab" params={{ app: account.appId ?? '', tab: 'accounts' }}>
              <Name>{app?.displayName}</Name>
            </Link>
          )),
          column(
            'mail',
            text('people.mail'),
            ({ account }) => (
              <>
                <Name>{account.email}</Name>
                <FormerAddress account={account} />
              </>
            ),
            { narrow: 'second' },
          ),
          column(
            'status',
            text('people.status'),
            ({ account }) =>
              account.status?.status === 'STATUS_ENABLED' ? (
                <Chip kind="ok">{text('people.enabled')}</Chip>
              ) : (
                <Chip>{text('people.disabled')}</Chip>
              ),
            { narrow: 'second' },
          ),
          column(
            'change',
            '',
            ({ account }) =>
              mayWrite ? (
                <Button
                  variant="quiet"
                  aria-label={text('people.changeOwnerOf', { name: accountName(account) })}
                  onClick={() => setOpened(account)}
                >
                  {text('people.changeOwner')}
                </Button>
              ) : null,
            { align: 'end', narrow: 'second' },
          ),
        ]}
      />
      {opened === undefined ? null : (
        <AccountOwner key={opened.id} account={opened} owner={undefined} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
