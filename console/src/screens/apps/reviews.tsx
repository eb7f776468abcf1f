/** The reviews that touched an app, with what came of them here. */
import { Link } from '@tanstack/react-router';
import { count, type App } from '../../data/inventory.ts';
import { useReviewsByApp } from '../../data/last-reviews.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Name } from '../../parts/name.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';

/** So many of the newest reviews are looked through. */
const most = 30;

export function Reviews({ app }: { app: App }) {
  const { byApp, isReading } = useReviewsByApp(most);
  const mayReview = useMay('reviews.create');
  const rows = byApp.get(app.id ?? '') ?? [];
  return rows.length === 0 ? (
    isReading ? (
      <Skeleton rows={4} />
    ) : (
      <Empty
        icon="list"
        title={text('apps.noReviews')}
        action={mayReview ? <ButtonLink to={`/reviews/new?app=${app.id}`}>{text('apps.review')}</ButtonLink> : undefined}
      />
    )
  ) : (
    <Table
      label={text('apps.tab.reviews')}
      rows={rows}
      rowKey={({ review }) => review.accessReviewId ?? ''}
      columns={[
        {
          id: 'name',
          head: text('apps.reviewName'),
          cell: ({ review }) => (
            <Link to={`/reviews/${review.accessReviewId}/progress` as string}>
              <Name>{review.displayName}</Name>
            </Link>
          ),
        },
        { id: 'began', head: text('apps.reviewBegan'), narrow: 'second', cell: ({ review }) => <When at={review.startedAt ?? ''} /> },
        {
          id: 'ended',
          head: text('apps.reviewEnded'),
          narrow: 'second',
          cell: ({ review }) => (review.closedAt === undefined ? text('apps.reviewRuns') : <When at={review.closedAt} />),
        },
        { id: 'certified', head: text('apps.certified'), align: 'end', narrow: 'hide', cell: ({ part }) => number(count(part.certified)) },
        { id: 'denied', head: text('apps.denied'), align: 'end', narrow: 'hide', cell: ({ part }) => number(count(part.revoked)) },
        { id: 'open', head: text('apps.open'), align: 'end', narrow: 'hide', cell: ({ part }) => number(count(part.open)) },
      ]}
    />
  );
}
