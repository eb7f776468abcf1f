/** Changes of a sync beside the one before it: given, taken away, changed. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '~/data/inventory/inventory.ts';
import { useAppNames } from '~/data/names.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages, type ReplyOf } from '~/data/query.ts';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { text } from '~/text/text.ts';
import { DifferenceList } from './difference-list.tsx';
import styles from '~/app/people/account-owner.module.css';

/** One difference between two syncs, or between what is and what a file says. */
export type Difference = NonNullable<ReplyOf<'ImportService.Diff'>['list']>[number];

export const kinds = ['SYNC_CHANGE_ADDED', 'SYNC_CHANGE_REMOVED', 'SYNC_CHANGE_CHANGED'] as const;
export type Kind = (typeof kinds)[number];

export function SyncDifference({ id, appId }: { id: string; appId: string | undefined }) {
  const app = useAppNames([appId]).get(appId ?? '');
  const [kind, setKind] = useState<Kind>('SYNC_CHANGE_ADDED');
  const query = useInfiniteQuery(readPages('ImportService.Diff', { id, pageSize: 100 }));
  const counts = query.data?.pages[0]?.counts;
  const rows = pageRows<Difference>(query.data).filter((one) => one.change === kind);
  return (
    <section className={styles.form}>
      <h3>{text('diff.title')}</h3>
      <Load query={query}>
        {() => (
          <>
            <Segments
              label={text('diff.kind')}
              value={kind}
              onChange={(value: string) => setKind(value as Kind)}
              options={[
                { value: 'SYNC_CHANGE_ADDED', label: text('diff.added'), count: count(counts?.added) },
                { value: 'SYNC_CHANGE_REMOVED', label: text('diff.removed'), count: count(counts?.removed) },
                { value: 'SYNC_CHANGE_CHANGED', label: text('diff.changed'), count: count(counts?.changed) },
              ]}
            />
            <DifferenceList rows={rows} app={app} />
            <Pages query={query} />
          </>
        )}
      </Load>
    </section>
  );
}
