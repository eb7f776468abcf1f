/** What I submitted, and what was recorded of it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '../../app/page.tsx';
import { readPages, type ReplyOf } from '../../data/query.ts';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { date, number } from '../../text/format.ts';
import { text } from '../../text/text.ts';

type Row = NonNullable<ReplyOf<'MySubmissionService.List'>['list']>[number];

const of = (value: string | undefined): string => number(Number(value ?? 0));

export function SubmissionsPage() {
  const query = useInfiniteQuery(readPages('MySubmissionService.List', { pageSize: 50 }));
  return (
    <Page title={text('submissions.title')}>
      <Load
        query={query}
        empty={
          <Empty icon="history" title={text('submissions.empty')}>
            {text('submissions.emptyNext')}
          </Empty>
        }
      >
        {({ pages }) => (
          <>
            <Table<Row>
              label={text('submissions.title')}
              rows={pages.flatMap(({ list }) => list ?? [])}
              rowKey={({ submission }) => submission?.id ?? ''}
              rowLink={(row) => (row.isOpen ? `/r/${row.accessReviewId ?? ''}?show=mine` : undefined)}
              columns={[
                { id: 'review', head: text('submissions.review'), cell: (row) => row.reviewDisplayName },
                { id: 'when', head: text('submissions.when'), cell: (row) => <When at={row.submission?.submittedAt} />, narrow: 'second' },
                {
                  id: 'certified',
                  head: text('submissions.certified'),
                  align: 'end',
                  cell: (row) => of(row.submission?.certified),
                  narrow: 'hide',
                },
                { id: 'denied', head: text('submissions.denied'), align: 'end', cell: (row) => of(row.submission?.denied), narrow: 'hide' },
                {
                  id: 'refused',
                  head: text('submissions.refused'),
                  align: 'end',
                  cell: (row) => of(row.submission?.refused),
                  narrow: 'hide',
                },
                {
                  id: 'state',
                  head: text('submissions.state'),
                  cell: (row) =>
                    row.isOpen ? (
                      <Chip kind="info">{text('submissions.open')}</Chip>
                    ) : (
                      <Chip>{text('submissions.closed', { date: row.closedAt ? date(row.closedAt, true) : '' })}</Chip>
                    ),
                },
              ]}
            />
            <Pages query={query} />
          </>
        )}
      </Load>
    </Page>
  );
}
