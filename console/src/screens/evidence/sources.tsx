/** Sources at the snapshot of a review that an earlier release prepared, of which no more was frozen. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { Name } from '~/parts/words/name.tsx';
import { exactTime } from '~/text/format.ts';
import { joinNames } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';

export function Sources({ reviewId }: { reviewId: string }) {
  const accuracy = useQuery(read('ReviewAccuracyService.GetAccuracy', { accessReviewId: reviewId })).data;
  const sources = (accuracy?.atSnapshot ?? accuracy?.accuracy)?.sources ?? [];
  return (
    <section className={styles.tied}>
      <h2>{text('evidence.sources')}</h2>
      <ul className={styles.population}>
        {sources.map((source) => (
          <li key={source.connectorId}>
            <span>
              <Name>{joinNames(source.appDisplayName, source.displayName)}</Name>
            </span>
            <small>
              {source.lastDoneAt
                ? text('evidence.sourceRows', { rows: count(source.rows), at: exactTime(source.lastDoneAt) })
                : text('evidence.sourceNever')}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
