/** The reviews that were made of a template, the newest first. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { readPages } from '~/data/query.ts';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';

export function LastReviews({ id }: { id: string }) {
  const list = useInfiniteQuery(readPages('ReviewSearchService.Search', { templateIds: [id], pageSize: 50 }));
  const rows = (list.data?.pages ?? []).flatMap((page) => page.list ?? []);
  return (
    <section className={styles.section}>
      <h2>{text('templates.lastReviews')}</h2>
      <Table
        query={list}
        empty={<p className={styles.hint}>{text('templates.noReviews')}</p>}
        label={text('templates.lastReviews')}
        rows={rows}
        rowKey={(row) => row.accessReviewId ?? ''}
        rowLink={(row) => linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId: row.accessReviewId ?? '', tab: 'progress' } })}
        columns={(column) => [
          column('name', text('templates.name'), (row) => <b>{row.displayName}</b>),
          column(
            'started',
            text('templates.started'),
            (row) => (row.startedAt === undefined ? text('templates.draft') : <When at={row.startedAt} />),
            { narrow: 'second' },
          ),
          column('closed', text('templates.closed'), (row) => <When at={row.closedAt} />, { narrow: 'second' }),
        ]}
      />
    </section>
  );
}
