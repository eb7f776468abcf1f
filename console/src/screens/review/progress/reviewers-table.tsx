/** Reviewers of a review, what they have left, and how they decide. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sayDecidedOf } from '~/app/reviews/decided-of.ts';
import { LinkDialog } from '~/app/people/link-dialog.tsx';
import { useWays } from '~/app/reviews/reach.ts';
import { Signed } from '~/app/reviews/signed.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { count } from '~/data/count.ts';
import type { Person } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { read, readPages } from '~/data/query.ts';
import type { ReviewView } from '~/data/reviews/review.ts';
import { useMay, useSession } from '~/data/session/session.ts';
import { useSignatures } from '~/data/reviews/signature.ts';
import { text } from '~/text/text.ts';
import { Pace } from './pace.tsx';
import { RemindBar } from '~/screens/review/acts/remind-bar.tsx';
import styles from './progress.module.css';

/** Items that ended although nobody who was asked decided them. */
function EndedOtherwise({ count: ended }: { count: number }) {
  return ended > 0 ? <small className={styles.quiet}> {text('review.endedOtherwise', { count: ended })}</small> : null;
}

interface ReviewersTableProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly onlyLate: boolean;
}

export function ReviewersTable({ reviewId, view, onlyLate }: ReviewersTableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useInfiniteQuery(readPages('ReviewProgressService.ListReviewers', { accessReviewId: reviewId, pageSize: 100 }));
  const figures = useQuery(read('ReviewerFigureService.List', { accessReviewId: reviewId, pageSize: 100 }));
  const rows = pageRows(query.data).filter((row) => !onlyLate || count(row.overdue) > 0);
  const figuresOf = new Map((figures.data?.list ?? []).map((one) => [one.userId ?? '', one]));
  const isSigned = view.accessReview?.signatureConfig?.requireSignature === true;
  // The last one of each stands for those before it.
  const signatures = useSignatures(reviewId, view.accessReview ?? {});
  const signatureOf = new Map(signatures.list.map((one) => [one.userId, one]));
  const mayRemind = view.accessReview?.state === 'ACCESS_REVIEW_STATE_OPEN' && view.objectPermissions?.edit === true;
  // Where nobody signs in without an administrator, each reviewer needs a link; with one nobody signs.
  const me = useSession()?.userId;
  const ways = useWays();
  const mayLink = useMay('credentials.issue') && !isSigned && mayRemind && ways.isKnown && !ways.signsIn;
  const [linking, setLinking] = useState<Person>();
  return (
    <>
      <Table
        query={query}
        empty={<Empty title={onlyLate ? text('review.noneLate') : text('review.noReviewers')} />}
        label={text('review.reviewers')}
        rows={rows}
        rowKey={(row) => row.userId ?? ''}
        selection={
          mayRemind
            ? {
                selected,
                onChange: setSelected,
                labelOf: (row) => text('review.selectReviewer', { name: row.displayName || row.email || '' }),
              }
            : undefined
        }
        columns={(column) => [
          column('name', text('review.reviewer'), (row) => (
            <span className={styles.person}>
              <Initials name={row.displayName || row.email || ''} />
              <Link to="/reviews/$reviewId/$tab" params={{ reviewId, tab: 'items' }} search={{ reviewer: row.userId }}>
                {row.displayName || row.email}
              </Link>
            </span>
          )),
          column(
            'bar',
            text('review.decided'),
            (row) => (
              <Progress value={count(row.decided)} max={count(row.asked)} denied={count(row.denied)} label={row.displayName ?? ''} />
            ),
            { width: 160, narrow: 'hide', isExtra: true },
          ),
          column('count', '', (row) => (
            <>
              {sayDecidedOf(row)}
              <EndedOtherwise count={count(row.asked) - count(row.open) - count(row.decided)} />
            </>
          )),
          column('denied', '', (row) => <span className={styles.quiet}>{text('review.deniedCount', { count: count(row.denied) })}</span>, {
            narrow: 'hide',
          }),
          column(
            'seen',
            text('review.lastSeen'),
            (row) =>
              row.lastSeenAt === undefined && row.lastActedAt === undefined ? (
                <span className={styles.warn}>{text('review.notYet')}</span>
              ) : (
                <When at={row.lastSeenAt ?? row.lastActedAt ?? ''} />
              ),
            { narrow: 'hide' },
          ),
          ...(isSigned
            ? [
                column(
                  'signed',
                  text('signature.one'),
                  ({ userId }) => {
                    const signature = signatureOf.get(userId);
                    return signature === undefined ? (
                      // Nobody is said not to have signed while signatures are missing.
                      <span className={styles.quiet}>{signatures.isWhole ? text('signature.notYet') : ''}</span>
                    ) : (
                      <Signed signature={signature} />
                    );
                  },
                  { narrow: 'second' },
                ),
              ]
            : []),
          column('pace', text('review.paceHead'), (row) => <Pace row={row} figures={figuresOf.get(row.userId ?? '')} />, {
            narrow: 'hide',
          }),
          column(
            'reminded',
            text('review.reminded'),
            (row) => <span className={styles.quiet}>{text('review.times', { count: count(row.reminders) })}</span>,
            { align: 'end', narrow: 'hide' },
          ),
          ...(mayLink
            ? [
                column('link', '', ({ userId: id, displayName, email }) =>
                  id === me ? null : (
                    <Button
                      variant="quiet"
                      icon="key"
                      aria-label={text('review.linkFor', { name: displayName || email || '' })}
                      onClick={() => setLinking({ id, displayName, email })}
                    >
                      {text('roles.link')}
                    </Button>
                  ),
                ),
              ]
            : []),
        ]}
      />

      {linking === undefined ? null : <LinkDialog person={linking} onClose={() => setLinking(undefined)} />}
      {mayRemind && selected.size > 0 ? (
        <RemindBar reviewId={reviewId} userIds={[...selected]} onDone={() => setSelected(new Set())} />
      ) : null}
    </>
  );
}
