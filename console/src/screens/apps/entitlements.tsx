/** The rights of an app: what each allows, who holds it, how risky it is, who owns it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Delta } from '../../app/delta.tsx';
import { SearchBox } from '../../app/search-box.tsx';
import { Undescribed } from '../../app/undescribed.tsx';
import { expandedAt } from '../../data/expanded.ts';
import { type App, count, type Entitlement, riskLevels } from '../../data/inventory.ts';
import { readPages } from '../../data/query.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Select } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { date, number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import { EntitlementDrawer } from './entitlement-drawer.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { RightOwners } from './right-owners.tsx';
import { RightWords } from './right-words.tsx';
import { Risk } from './risk.tsx';
import { type Activity, useActivity, useSince } from './use-activity.ts';
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
  const onlyBare = search.bare === true;
  const since = useSince(app.id ?? '');
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
  const rows = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).map(
      (view): RightRow => ({
        right: view.appEntitlement ?? {},
        resource: expandedAt<{ displayName?: string }>(page.expanded, view.appResourcePath)?.displayName ?? '',
        mayEdit: view.objectPermissions?.edit === true,
      }),
    ),
  );
  const activity = useActivity(
    app.id ?? '',
    (query.data?.pages ?? []).map((page) => (page.list ?? []).map((view) => view.appEntitlement?.id ?? '')),
    since.at,
  );
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
        <Checkbox label={text('apps.onlyBare')} checked={onlyBare} onChange={(value: boolean) => change({ bare: value || undefined })} />
      </FilterBar>
      {onlyBare ? (
        <Undescribed appId={app.id ?? ''} />
      ) : (
        <Load query={query}>
          {() =>
            rows.length === 0 ? (
              <Empty icon="key" title={search.q || risk ? text('apps.noRightFound') : text('apps.noRights')}>
                {search.q || risk ? undefined : text('apps.noneNext')}
              </Empty>
            ) : (
              <>
                <Table
                  label={text('apps.tab.entitlements')}
                  rows={rows}
                  rowKey={({ right }) => right.id ?? ''}
                  columns={[
                    { id: 'what', head: text('apps.allows'), cell: (row) => <RightWords row={row} onOpen={() => setOpened(row)} /> },
                    { id: 'holders', head: text('apps.holders'), align: 'end', cell: ({ right }) => number(count(right.grantCount)) },
                    { id: 'risk', head: text('apps.risk'), narrow: 'hide', cell: ({ right }) => <Risk id={right.riskLevelValueId} /> },
                    {
                      id: 'used',
                      head: text('apps.lastUsed'),
                      narrow: 'hide',
                      cell: ({ right }) => <LastUse activity={activity.get(right.id ?? '')} />,
                    },
                    { id: 'owners', head: text('apps.owners'), narrow: 'hide', cell: ({ right }) => <RightOwners right={right} /> },
                    {
                      id: 'since',
                      head: since.isReview ? text('apps.sinceDate', { date: date(since.at, true) }) : text('apps.lastDays'),
                      align: 'end',
                      narrow: 'second',
                      cell: ({ right }) => <Changed activity={activity.get(right.id ?? '')} />,
                    },
                  ]}
                />
                <Pages query={query} />
              </>
            )
          }
        </Load>
      )}
      <RecentChanges app={app} />
      {opened === undefined ? null : <EntitlementDrawer key={opened.right.id} row={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function LastUse({ activity }: { activity: Activity | undefined }) {
  return activity === undefined ? null : activity.lastUsedAt === undefined ? (
    <span className={styles.quiet}>{text('apps.notKnown')}</span>
  ) : (
    <When at={activity.lastUsedAt} />
  );
}

function Changed({ activity }: { activity: Activity | undefined }) {
  return activity === undefined ? null : activity.changes === undefined ? (
    <span className={styles.quiet}>{text('apps.manyChanges')}</span>
  ) : (
    <Delta plus={activity.changes.added} minus={activity.changes.ended} />
  );
}
