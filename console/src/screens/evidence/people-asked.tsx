/** People who were asked, how much each answered, and what was submitted when. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { sayDecidedOf } from '~/app/reviews/decided-of.ts';
import { count } from '~/data/count.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';

export function PeopleAsked({ reviewId }: { reviewId: string }) {
  const of = { accessReviewId: reviewId, pageSize: 100 };
  const reviewers = useInfiniteQuery(readPages('ReviewProgressService.ListReviewers', of));
  const submissions = useInfiniteQuery(readPages('ReviewSubmissionService.ListSubmissions', of));
  const submitted = pageRows(submissions.data).map(({ submission }) => submission ?? {});
  const nameAt = useNamesAt(submitted.map(({ userId, submittedAt }) => [userId, submittedAt]));
  return (
    <section className={styles.tied}>
      <h2>{text('evidence.people')}</h2>
      <Table
        label={text('evidence.people')}
        query={reviewers}
        empty={<Empty icon="people" title={text('evidence.nobodyAsked')} />}
        rows={pageRows(reviewers.data)}
        rowKey={(row) => row.userId ?? ''}
        columns={(column) => [
          column('name', text('review.reviewer'), (row) => <Name>{row.displayName || row.email}</Name>, { least: 'name' }),
          column('asked', text('evidence.asked'), (row) => number(count(row.asked)), { align: 'end', narrow: 'hide' }),
          column('certified', text('review.certified'), (row) => number(count(row.decided) - count(row.denied)), {
            align: 'end',
            narrow: 'hide',
          }),
          column('denied', text('review.denied'), (row) => number(count(row.denied)), { align: 'end', narrow: 'hide' }),
          column('decided', text('evidence.decided'), sayDecidedOf, { align: 'end' }),
        ]}
      />
      <h3>{text('review.submissions')}</h3>
      <Table
        label={text('review.submissions')}
        query={submissions}
        empty={<p className={styles.quiet}>{text('review.noSubmissions')}</p>}
        rows={submitted}
        rowKey={(row) => row.id ?? ''}
        columns={(column) => [
          column('who', text('review.reviewer'), (row) => <Name>{nameAt(row.userId, row.submittedAt)}</Name>, { least: 'name' }),
          column('when', text('review.when'), (row) => exactTime(row.submittedAt ?? ''), { narrow: 'second' }),
          column('certified', text('review.certified'), (row) => number(count(row.certified)), { align: 'end', narrow: 'hide' }),
          column('denied', text('review.denied'), (row) => number(count(row.denied)), { align: 'end', narrow: 'hide' }),
        ]}
      />
    </section>
  );
}
