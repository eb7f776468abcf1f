/** The head of an app's page: its name, what it is, and its parts with how much is in each. */
import { useQuery } from '@tanstack/react-query';
import { type App, count } from '../../data/inventory.ts';
import { useReviewsByApp } from '../../data/last-reviews.ts';
import { read } from '../../data/query.ts';
import { Name } from '../../parts/name.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import { useLastSync } from './last-sync.tsx';
import { useRightCount } from './rights.tsx';
import { tabs, type Tab } from './tabs.ts';

export function AppHead({ app }: { app: App }) {
  const id = app.id ?? '';
  const sync = useLastSync(id);
  const syncs = useQuery(read('ImportService.List', { appId: id, pageSize: 100 }));
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
        items={tabs.map((tab) => ({ to: `/apps/${id}/${tab}`, label: text(`apps.tab.${tab}`), ...withCount(counts[tab]) }))}
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
