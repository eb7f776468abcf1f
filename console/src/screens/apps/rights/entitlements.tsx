/** The rights of an app: what each allows, who holds it, how risky it is, who owns it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Delta } from '~/app/syncs/delta.tsx';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { Undescribed } from '~/app/lists/undescribed.tsx';
import { expandedAt } from '~/data/expanded.ts';
import { type App, count, type Entitlement, riskLevels } from '~/data/inventory/inventory.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { date, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import { EntitlementDrawer } from './entitlement-drawer.tsx';
import { RecentChanges } from '~/screens/apps/access/recent-changes.tsx';
import { RightOwners } from './right-owners.tsx';
import { RightWords } from './right-words.tsx';
import { Risk } from './risk.tsx';
import { type Activity, useActivity, useSince } from './use-activity.ts';
import { useAppAddress } from '~/screens/apps/use-app.ts';

/** A right with the names of its resource and its app. */
export interface RightRow {
  readonly right: Entitlement;
  readonly resource: string;
  readonly app: string;
  readonly mayEdit: boolean;
}

export function Entitlements({ app }: { app: App }) {
  const { search, change } = useAppAddress();
  const [risk, setRisk] = useState('');
  // What an owner without a role may not read is neither asked for nor shown as none.
  const mayReadAll = useMay('inventory.read');
  const onlyBare = mayReadAll && search.bare === true;
  const since = useSince(app.id ?? '');
  const [opened, setOpened] = useState<RightRow | undefined>();
  const levels = useQuery({ ...riskLevels, enabled: mayReadAll }).data?.list ?? [];
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
        app: app.displayName ?? '',
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
        {mayReadAll ? (
          <Checkbox label={text('apps.onlyBare')} checked={onlyBare} onChange={(value: boolean) => change({ bare: value || undefined })} />
        ) : null}
      </FilterBar>
      {onlyBare ? (
        <Undescribed appId={app.id ?? ''} />
      ) : (
        <Table
          query={query}
          empty={
            <Empty icon="key" title={search.q || risk ? text('apps.noRightFound') : text('apps.noRights')}>
              {search.q || risk ? undefined : text('apps.noneNext')}
            </Empty>
          }
          label={text('apps.tab.entitlements')}
          rows={rows}
          rowKey={({ right }) => right.id ?? ''}
          columns={(column) => [
            column('what', text('apps.allows'), (row) => <RightWords row={row} onOpen={() => setOpened(row)} />),
            column('holders', text('apps.holders'), ({ right }) => number(count(right.grantCount)), { align: 'end' }),
            ...(mayReadAll
              ? [column('risk', text('apps.risk'), ({ right }) => <Risk id={right.riskLevelValueId} />, { narrow: 'hide' })]
              : []),
            column('used', text('apps.lastUsed'), ({ right }) => <LastUse activity={activity.get(right.id ?? '')} />, {
              narrow: 'hide',
            }),
            ...(mayReadAll
              ? [column('owners', text('apps.owners'), ({ right }) => <RightOwners right={right} />, { narrow: 'hide' })]
              : []),
            column(
              'since',
              since.isReview ? text('apps.sinceDate', { date: date(since.at, true) }) : text('apps.lastDays'),
              ({ right }) => <Changed activity={activity.get(right.id ?? '')} />,
              { align: 'end', narrow: 'second' },
            ),
          ]}
        />
      )}
      {mayReadAll ? <RecentChanges app={app} /> : null}
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
