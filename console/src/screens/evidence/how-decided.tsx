/** Way people decided, over all who did: figures that show where to look. */
import { useQuery } from '@tanstack/react-query';
import { Facts } from '~/parts/words/facts.tsx';
import { saySeconds } from '~/app/reviews/say-seconds.ts';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { number, percent } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';

export function HowDecided({ reviewId }: { reviewId: string }) {
  const { list = [], nextPageToken } = useQuery(read('ReviewerFigureService.List', { accessReviewId: reviewId, pageSize: 100 })).data ?? {};
  if (list.length === 0) {
    return null;
  }
  const decisions = list.reduce((sum, one) => sum + count(one.decisions), 0);
  const paces = list
    .map((one) => count(one.secondsPerDecision))
    .filter((pace) => pace > 0)
    .sort((a, b) => a - b);
  const bulk = list.reduce((sum, one) => sum + count(one.bulkShare) * count(one.decisions), 0);
  const longest = [...list].sort((a, b) => count(b.longestRun) - count(a.longestRun))[0];
  const middle = paces[Math.floor(paces.length / 2)];
  return (
    <section>
      <h2>{text('evidence.howDecided')}</h2>
      {nextPageToken ? <p className={styles.quiet}>{text('evidence.ofMost', { count: list.length })}</p> : null}
      <Facts
        rows={[
          { term: text('evidence.decisionsMade'), children: number(decisions) },
          {
            term: text('evidence.median'),
            children: middle === undefined ? undefined : text('review.secondsEach', { seconds: saySeconds(middle) }),
          },
          { term: text('evidence.inBulk'), children: percent(bulk, decisions) },
          {
            term: text('evidence.longestRun'),
            children: text('evidence.runOf', { run: number(count(longest?.longestRun)), name: longest?.displayName ?? '' }),
          },
          { term: text('evidence.againstAdvice'), children: number(list.reduce((sum, one) => sum + count(one.againstAdvice), 0)) },
        ]}
      />
    </section>
  );
}
