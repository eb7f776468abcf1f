/** The accounts of an app: whose each is, of what kind, and whether it can still be used. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SearchBox } from '../../app/search-box.tsx';
import { expandedAt } from '../../data/expanded.ts';
import { type Account, accountName, type App, nameOf, type Person } from '../../data/inventory.ts';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import { AccountOwner } from '../../app/account-owner.tsx';
import styles from './apps.module.css';
import { useAppAddress } from './use-app.ts';

interface AccountRow {
  readonly account: Account;
  readonly owner: Person | undefined;
}

export function Accounts({ app }: { app: App }) {
  const { search, change } = useAppAddress();
  const mayWrite = useMay('inventory.write');
  const [onlyUnowned, setOnlyUnowned] = useState(false);
  const [opened, setOpened] = useState<AccountRow | undefined>();
  const query = useInfiniteQuery(
    readPages('AppUserService.Search', {
      appId: app.id ?? '',
      query: search.q ?? '',
      withoutResponsibleParty: onlyUnowned,
      expandMask: { paths: ['identity_user_id'] },
      pageSize: 50,
    }),
  );
  const rows = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).map(
      (view): AccountRow => ({ account: view.appUser ?? {}, owner: expandedAt<Person>(page.expanded, view.identityUserPath) }),
    ),
  );
  return (
    <>
      <FilterBar>
        <SearchBox label={text('apps.findAccount')} value={search.q} onChange={(q) => change({ q })} />
        <Checkbox label={text('apps.onlyUnowned')} checked={onlyUnowned} onChange={setOnlyUnowned} />
      </FilterBar>
      <Load query={query}>
        {() =>
          rows.length === 0 ? (
            <Empty icon="people" title={search.q || onlyUnowned ? text('apps.noAccountFound') : text('apps.noAccounts')} />
          ) : (
            <>
              <Table
                label={text('apps.tab.accounts')}
                rows={rows}
                rowKey={({ account }) => account.id ?? ''}
                columns={[
                  { id: 'account', head: text('apps.account'), cell: ({ account }) => <AccountName account={account} /> },
                  {
                    id: 'owner',
                    head: text('apps.owner'),
                    cell: (row) => <Owner row={row} onOpen={mayWrite ? () => setOpened(row) : undefined} />,
                  },
                  { id: 'type', head: text('apps.type'), narrow: 'second', cell: ({ account }) => typeOf(account) },
                  { id: 'status', head: text('apps.status'), narrow: 'second', cell: ({ account }) => <Status account={account} /> },
                ]}
              />
              <Pages query={query} />
            </>
          )
        }
      </Load>
      {opened === undefined ? null : (
        <AccountOwner key={opened.account.id} account={opened.account} owner={opened.owner} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

function AccountName({ account }: { account: Account }) {
  const name = accountName(account);
  return (
    <span className={styles.two}>
      <Name>{name}</Name>
      {account.email && account.email !== name ? (
        <small>
          <Name>{account.email}</Name>
        </small>
      ) : null}
    </span>
  );
}

function Owner({ row: { account, owner }, onOpen }: { row: AccountRow; onOpen: (() => void) | undefined }) {
  return (
    <span className={styles.owner}>
      {owner === undefined ? (
        <span className={styles.warn}>{text('apps.noOwner')}</span>
      ) : (
        <Link to={`/people/${owner.id}/now` as string}>
          <Name>{nameOf(owner)}</Name>
        </Link>
      )}
      {onOpen === undefined ? null : (
        <Button variant="quiet" onClick={onOpen} aria-label={text('apps.changeOwnerOf', { name: accountName(account) })}>
          {text('apps.change')}
        </Button>
      )}
    </span>
  );
}

function typeOf(account: Account): string {
  const type = account.appUserType;
  return type === 'APP_USER_TYPE_SERVICE_ACCOUNT'
    ? text('apps.type.service')
    : type === 'APP_USER_TYPE_SYSTEM_ACCOUNT'
      ? text('apps.type.system')
      : text('apps.type.user');
}

function Status({ account }: { account: Account }) {
  const status = account.status?.status;
  return status === 'STATUS_ENABLED' ? <Chip kind="ok">{text('apps.enabled')}</Chip> : <Chip>{text('apps.disabled')}</Chip>;
}
