/** Limits on who decides in a review, and decisions of people with a relation to the access. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '~/data/count.ts';
import { pageRows } from '~/data/pages.ts';
import { read, readPages } from '~/data/query.ts';
import { relationKey } from '~/data/reviews/relations.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Sums } from '~/parts/tables/sums.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/review/settings.module.css';

export function Independence({ reviewId }: { reviewId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...read('ReviewIndependenceService.GetIndependence', { accessReviewId: reviewId }), retry: false });
  const decisions = useInfiniteQuery({
    ...readPages('ReviewIndependenceService.ListRelatedDecisions', { accessReviewId: reviewId, pageSize: 50 }),
    enabled: isOpen,
  });
  const { blocked = [], counts = [] } = query.data?.independence ?? {};
  const found = counts.filter(({ decisions: made }) => count(made) > 0);
  const rows = pageRows(decisions.data);
  if (query.isPending) {
    return null;
  }
  return (
    <section>
      <h2>{text('review.independence')}</h2>
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      <p className={styles.quiet}>
        {blocked.length === 0
          ? text('review.independenceNone')
          : text('review.independenceBlocked', { who: blocked.map((one) => text(relationKey(one))).join(', ') })}
      </p>
      {query.isSuccess && found.length === 0 ? <p>{text('review.independenceClean')}</p> : null}
      {found.length === 0 ? null : (
        <>
          <Sums
            label={text('review.independence')}
            parts={found.map(({ relation, decisions: made }) => ({
              id: relation ?? '',
              words: text(relationKey(relation)),
              value: count(made),
            }))}
          />
          <div>
            <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
              {text(isOpen ? 'review.independenceHide' : 'review.independenceShow')}
            </Button>
          </div>
        </>
      )}
      {rows.length === 0 || !isOpen ? null : (
        <>
          <Table
            label={text('review.independenceDecisions')}
            rows={rows}
            rowKey={(row) => row.actionId ?? ''}
            columns={(column) => [
              column('by', text('review.who'), (row) => row.userDisplayName),
              column(
                'what',
                text('review.right'),
                (row) => [row.subjectDisplayName, row.entitlementDisplayName, row.appDisplayName].filter(Boolean).join(', '),
                { narrow: 'second' },
              ),
              column('how', text('review.relation'), (row) => (row.relations ?? []).map((one) => text(relationKey(one))).join(', ')),
              column('state', text('review.state'), (row) => text(row.approved ? 'review.certified' : 'review.denied'), { narrow: 'hide' }),
              column('when', text('review.when'), (row) => <When at={row.decidedAt} />, { narrow: 'hide', align: 'end' }),
            ]}
          />
          <Pages query={decisions} />
        </>
      )}
    </section>
  );
}
