/** The head of an app's page: its name, what it is, and its parts with how much is in each. */
import { linkOptions } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { type App, count } from '~/data/inventory/inventory.ts';
import { useReviewsByApp } from '~/data/reviews/last-reviews.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Name } from '~/parts/words/name.tsx';
import { Tabs } from '~/parts/layout/tabs.tsx';
import { text } from '~/text/text.ts';
import styles from './apps.module.css';
import { useLastSync } from './last-sync.tsx';
import { useRightCount } from './rights/rights.tsx';
import { tabs, type Tab } from './tabs.ts';

/** Tabs owners read of their app without a role. */
const ofOwners: ReadonlySet<Tab> = new Set<Tab>(['entitlements', 'accounts', 'grants']);

export function AppHead({ app }: { app: App }) {
  const id = app.id ?? '';
  const sync = useLastSync(id);
  const mayReadAll = useMay('inventory.read');
  const syncs = useQuery({ ...read('ImportService.List', { appId: id, pageSize: 100 }), enabled: mayReadAll });
  const rights = useRightCount(id);
  const { byApp } = useReviewsByApp();
  const syncCount = syncs.data?.nextPageToken ? undefined : syncs.data?.list?.length;
  const counts: Partial<Record<Tab, number | undefined>> = {
    entitlements: sync?.counts?.entitlements === undefined ? undefined : count(sync.counts.entitlements.total),
    accounts: count(app.userCount),
    grants: rights,
    syncs: syncCount,
    reviews: byApp.get(id)?.length,
  };
  return (
    <>
      <div className={styles.head}>
        <span className={styles.tile} aria-hidden="true">
          {initialsOf(app.displayName ?? '')}
        </span>
        <div>
          <h2>
            <Name>{app.displayName}</Name>
          </h2>
          {app.description ? (
            <p>
              <Name>{app.description}</Name>
            </p>
          ) : null}
        </div>
      </div>
      <Tabs
        label={text('apps.parts')}
        items={tabs
          .filter((tab) => mayReadAll || ofOwners.has(tab))
          .map((tab) => ({
            link: linkOptions({ to: '/apps/$app/$tab', params: { app: id, tab } }),
            label: text(`apps.tab.${tab}`),
            ...withCount(counts[tab]),
          }))}
      />
    </>
  );
}

function withCount(value: number | undefined): { count?: number } {
  return value === undefined ? {} : { count: value };
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
