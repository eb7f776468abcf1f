/** The reviews that were made of a template, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { readPages } from '../../data/query.ts';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import styles from './templates.module.css';

export function LastReviews({ id }: { id: string }) {
  const list = useInfiniteQuery(readPages('ReviewSearchService.Search', { templateIds: [id], pageSize: 50 }));
  const rows = (list.data?.pages ?? []).flatMap((page) => page.list ?? []);
  return (
    <section className={styles.section}>
      <h2>{text('templates.lastReviews')}</h2>
      {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isSuccess && rows.length === 0 ? <p className={styles.hint}>{text('templates.noReviews')}</p> : null}
      {rows.length === 0 ? null : (
        <Table
          label={text('templates.lastReviews')}
          rows={rows}
          rowKey={(row) => row.accessReviewId ?? ''}
          rowLink={(row) => `/reviews/${row.accessReviewId}/progress`}
          columns={[
            { id: 'name', head: text('templates.name'), cell: (row) => <b>{row.displayName}</b> },
            {
              id: 'started',
              head: text('templates.started'),
              narrow: 'second',
              cell: (row) => (row.startedAt === undefined ? text('templates.draft') : <When at={row.startedAt} />),
            },
            { id: 'closed', head: text('templates.closed'), narrow: 'second', cell: (row) => <When at={row.closedAt} /> },
          ]}
        />
      )}
      <Pages query={list} />
    </section>
  );
}
