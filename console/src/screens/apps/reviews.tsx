/** The reviews that touched an app, with what came of them here. */
import { Link } from '@tanstack/react-router';
import { count, type App } from '~/data/inventory/inventory.ts';
import { useReviewsByApp } from '~/data/reviews/last-reviews.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';

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
        action={
          mayReview ? (
            <ButtonLink to="/reviews/new" search={{ app: app.id }}>
              {text('apps.review')}
            </ButtonLink>
          ) : undefined
        }
      />
    )
  ) : (
    <Table
      label={text('apps.tab.reviews')}
      rows={rows}
      rowKey={({ review }) => review.accessReviewId ?? ''}
      columns={(column) => [
        column('name', text('apps.reviewName'), ({ review }) => (
          <Link to="/reviews/$reviewId/$tab" params={{ reviewId: review.accessReviewId ?? '', tab: 'progress' }}>
            <Name>{review.displayName}</Name>
          </Link>
        )),
        column('began', text('apps.reviewBegan'), ({ review }) => <When at={review.startedAt ?? ''} />, { narrow: 'second' }),
        column(
          'ended',
          text('apps.reviewEnded'),
          ({ review }) => (review.closedAt === undefined ? text('apps.reviewRuns') : <When at={review.closedAt} />),
          { narrow: 'second' },
        ),
        column('certified', text('apps.certified'), ({ part }) => number(count(part.certified)), { align: 'end', narrow: 'hide' }),
        column('denied', text('apps.denied'), ({ part }) => number(count(part.revoked)), { align: 'end', narrow: 'hide' }),
        column('open', text('apps.open'), ({ part }) => number(count(part.open)), { align: 'end', narrow: 'hide' }),
      ]}
    />
  );
}
