/** What of a review nobody signed: submissions that wait, with who has to be asked and until when, and outcomes that are no decision of a person. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { useSignatures } from '~/data/reviews/signature.ts';
import { Note } from '~/parts/states/note.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { date, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { listLastWaiting } from './last-waiting.ts';
import styles from './settings.module.css';

export function WaitingSignatures({ reviewId, review }: { reviewId: string; review: Review }) {
  const waiting = useSignatures(reviewId, review, { state: 'SIGNATURE_STATE_PREPARED' });
  const signed = useSignatures(reviewId, review);
  const rows = listLastWaiting(waiting.list, signed.list);
  const counts = useQuery(read('ReviewActionsService.GetCounts', { accessReviewId: reviewId })).data?.counts;
  const otherwise = count(counts?.certified) + count(counts?.revoked) - count(counts?.byPeople);
  const remark = otherwise > 0 ? <Note>{text('signature.notByPerson', { count: otherwise })}</Note> : null;
  if (rows.length === 0) {
    return remark;
  }
  return (
    <>
      <section className={styles.waiting}>
        <h2>{text('signature.waiting')}</h2>
        <p className={styles.quiet}>{text('signature.waitingIntro')}</p>
        <Table
          label={text('signature.waiting')}
          rows={rows}
          rowKey={(row) => row.id ?? ''}
          columns={(column) => [
            column('who', text('review.reviewer'), (row) => (
              <Link to="/signatures/$id" params={{ id: row.id ?? '' }}>
                <Name>{row.printedName}</Name>
              </Link>
            )),
            column('decisions', text('signature.decisions'), (row) => number(count(row.certified) + count(row.denied)), { align: 'end' }),
            column('since', text('review.submitted'), (row) => <When at={row.preparedAt ?? ''} />, { align: 'end', narrow: 'second' }),
            column('until', text('signature.waitingUntil'), (row) => (row.expiresAt ? date(row.expiresAt) : ''), {
              align: 'end',
              narrow: 'second',
            }),
          ]}
        />
      </section>
      {remark}
    </>
  );
}
