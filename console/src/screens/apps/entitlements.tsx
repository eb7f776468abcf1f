/** The rights of an app: what each allows, who holds it, how risky it is, who owns it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchBox } from '../../app/search-box.tsx';
import { type App, count, type Entitlement, expandedAt, riskLevels, technicalName, wordsOf } from '../../data/inventory.ts';
import { useFurtherPages } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Select } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import { EntitlementDrawer } from './entitlement-drawer.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { RightOwners } from './right-owners.tsx';
import { Risk } from './risk.tsx';
import { useAppAddress } from './use-app.ts';

/** A right with the name of its resource. */
export interface RightRow {
  readonly right: Entitlement;
  readonly resource: string;
  readonly mayEdit: boolean;
}

export function Entitlements({ app }: { app: App }) {
  const { search, change } = useAppAddress();
  const [risk, setRisk] = useState('');
  const [onlyBare, setOnlyBare] = useState(false);
  const [opened, setOpened] = useState<RightRow | undefined>();
  const levels = useQuery(riskLevels).data?.list ?? [];
  const query = useInfiniteQuery(
    readPages('AppEntitlementSearchService.Search', {
      appIds: [app.id ?? ''],
      query: search.q ?? '',
      riskLevelIds: risk === '' ? [] : [risk],
      expandMask: { paths: ['app_resource_id'] },
      pageSize: 50,
    }),
  );
  // Whether a right has words is not asked of the server: further pages are read until the end.
  useFurtherPages(query, onlyBare);
  const rows = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).map(
      (view): RightRow => ({
        right: view.appEntitlement ?? {},
        resource: expandedAt<{ displayName?: string }>(page.expanded, view.appResourcePath)?.displayName ?? '',
        mayEdit: view.objectPermissions?.edit === true,
      }),
    ),
  );
  const shown = onlyBare ? rows.filter(({ right }) => !right.description) : rows;
  return (
    <>
      <FilterBar>
        <SearchBox label={text('apps.findRight')} value={search.q} onChange={(q) => change({ q })} />
        {levels.length === 0 ? null : (
          <Select
            label={text('apps.risk')}
            hideLabel
            value={risk}
            onChange={setRisk}
            options={[
              { value: '', label: text('apps.anyRisk') },
              ...levels.map((level) => ({ value: level.id ?? '', label: level.value ?? '' })),
            ]}
          />
        )}
        <Checkbox label={text('apps.onlyBare')} checked={onlyBare} onChange={setOnlyBare} />
      </FilterBar>
      <Load query={query}>
        {() =>
          shown.length === 0 && !query.isFetchingNextPage ? (
            <Empty icon="key" title={search.q || risk || onlyBare ? text('apps.noRightFound') : text('apps.noRights')}>
              {search.q || risk || onlyBare ? undefined : text('apps.noneNext')}
            </Empty>
          ) : (
            <>
              <Table
                label={text('apps.tab.entitlements')}
                rows={shown}
                rowKey={({ right }) => right.id ?? ''}
                columns={[
                  { id: 'what', head: text('apps.allows'), cell: (row) => <What row={row} onOpen={() => setOpened(row)} /> },
                  { id: 'holders', head: text('apps.holders'), align: 'end', cell: ({ right }) => number(count(right.grantCount)) },
                  { id: 'risk', head: text('apps.risk'), narrow: 'hide', cell: ({ right }) => <Risk id={right.riskLevelValueId} /> },
                  { id: 'owners', head: text('apps.owners'), narrow: 'hide', cell: ({ right }) => <RightOwners right={right} /> },
                ]}
              />
              <Pages query={query} />
            </>
          )
        }
      </Load>
      <RecentChanges app={app} />
      {opened === undefined ? null : <EntitlementDrawer key={opened.right.id} row={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** What a right allows, opened by a button; what it is called beneath. */
function What({ row: { right, resource }, onOpen }: { row: RightRow; onOpen: () => void }) {
  const words = wordsOf(right);
  const name = technicalName(right, resource);
  return (
    <span className={styles.two}>
      <button type="button" className={styles.open} onClick={onOpen}>
        {words.isDescribed ? <Name>{words.title}</Name> : <span className={styles.warn}>{text('apps.noDescription')}</span>}
      </button>
      <small>
        <Name>{name}</Name>
      </small>
    </span>
  );
}
