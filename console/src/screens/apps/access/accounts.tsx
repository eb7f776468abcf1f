/** The accounts of an app: whose each is, of what kind, and whether it can still be used. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { expandedAt } from '~/data/expanded.ts';
import { type Account, accountName, type App, type Person } from '~/data/inventory/inventory.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { FormerAddress } from '~/app/people/former-address.tsx';
import { PersonLink } from '~/app/people/person-link.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import { AccountOwner } from '~/app/people/account-owner.tsx';
import styles from '~/screens/apps/apps.module.css';
import { useAppAddress } from '~/screens/apps/use-app.ts';

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
      <Table
        query={query}
        empty={<Empty icon="people" title={search.q || onlyUnowned ? text('apps.noAccountFound') : text('apps.noAccounts')} />}
        label={text('apps.tab.accounts')}
        rows={rows}
        rowKey={({ account }) => account.id ?? ''}
        columns={(column) => [
          column('account', text('apps.account'), ({ account }) => <AccountName account={account} />),
          column('owner', text('apps.owner'), (row) => <Owner row={row} onOpen={mayWrite ? () => setOpened(row) : undefined} />),
          column('type', text('apps.type'), ({ account }) => typeOf(account), { narrow: 'second' }),
          column('status', text('apps.status'), ({ account }) => <Status account={account} />, { narrow: 'second' }),
        ]}
      />
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
      {owner === undefined ? <span className={styles.warn}>{text('apps.noOwner')}</span> : <PersonLink person={owner} />}
      {onOpen === undefined ? null : (
        <Button variant="quiet" onClick={onOpen} aria-label={text('apps.changeOwnerOf', { name: accountName(account) })}>
          {text('apps.change')}
        </Button>
      )}
      <FormerAddress account={account} />
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
