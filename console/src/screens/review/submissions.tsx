/** Who submitted decisions when, and how many. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { count } from '../../data/count.ts';
import { useNames } from '../../data/names.ts';
import { readPages } from '../../data/query.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { TabProps } from './props.ts';

export function SubmissionsTab({ reviewId }: TabProps) {
  const query = useInfiniteQuery(readPages('ReviewSubmissionService.ListSubmissions', { accessReviewId: reviewId, pageSize: 100 }));
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => (list ?? []).map(({ submission }) => submission ?? {}));
  const names = useNames(rows.map(({ userId }) => userId));
  return (
    <Load
      query={query}
      empty={
        <Empty icon="inbox" title={text('review.noSubmissions')}>
          {text('review.noSubmissionsNext')}
        </Empty>
      }
    >
      {() => (
        <>
          <Table
            label={text('review.submissions')}
            rows={rows}
            rowKey={(row) => row.id ?? ''}
            columns={[
              { id: 'who', head: text('review.reviewer'), cell: (row) => names.get(row.userId ?? '') ?? '' },
              { id: 'submitted', head: text('review.submitted'), align: 'end', cell: (row) => number(count(row.submitted)) },
              {
                id: 'certified',
                head: text('review.certified'),
                align: 'end',
                narrow: 'hide',
                cell: (row) => number(count(row.certified)),
              },
              { id: 'denied', head: text('review.denied'), align: 'end', narrow: 'hide', cell: (row) => number(count(row.denied)) },
              { id: 'refused', head: text('review.refused'), align: 'end', narrow: 'hide', cell: (row) => number(count(row.refused)) },
              { id: 'when', head: text('review.when'), align: 'end', narrow: 'second', cell: (row) => <When at={row.submittedAt ?? ''} /> },
            ]}
          />
          <Pages query={query} />
        </>
      )}
    </Load>
  );
}
