/** My submissions, and the record of them. */
import { Link, linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '~/app/page.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { date, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { submissionsQuery } from './route.tsx';

const of = (value: string | undefined): string => number(Number(value ?? 0));

export function SubmissionsPage() {
  const query = useInfiniteQuery(submissionsQuery);
  return (
    <Page title={text('submissions.title')}>
      <Table
        query={query}
        empty={
          <Empty icon="history" title={text('submissions.empty')}>
            {text('submissions.emptyNext')}
          </Empty>
        }
        label={text('submissions.title')}
        rows={(query.data?.pages ?? []).flatMap(({ list }) => list ?? [])}
        rowKey={({ submission }) => submission?.id ?? ''}
        rowLink={(row) =>
          row.isOpen ? linkOptions({ to: '/r/$review', params: { review: row.accessReviewId ?? '' }, search: { show: 'mine' } }) : undefined
        }
        columns={(column) => [
          column('review', text('submissions.review'), (row) => row.reviewDisplayName),
          column('when', text('submissions.when'), (row) => <When at={row.submission?.submittedAt} />, { narrow: 'second' }),
          column('certified', text('submissions.certified'), (row) => of(row.submission?.certified), {
            align: 'end',
            narrow: 'hide',
          }),
          column('denied', text('submissions.denied'), (row) => of(row.submission?.denied), { align: 'end', narrow: 'hide' }),
          column('refused', text('submissions.refused'), (row) => of(row.submission?.refused), { align: 'end', narrow: 'hide' }),
          column('signed', text('signature.one'), ({ signatureId }) =>
            signatureId ? (
              <Link to="/signatures/$id" params={{ id: signatureId }}>
                {text('submissions.signed')}
              </Link>
            ) : null,
          ),
          column('state', text('submissions.state'), (row) =>
            row.isOpen ? (
              <Chip kind="info">{text('submissions.open')}</Chip>
            ) : (
              <Chip>{text('submissions.closed', { date: row.closedAt ? date(row.closedAt, true) : '' })}</Chip>
            ),
          ),
        ]}
      />
    </Page>
  );
}
