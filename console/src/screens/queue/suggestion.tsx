/** What rules say about a task, with their reasons. There is no box where nothing stands out. */
import { lazy, Suspense } from 'react';
import type { Insight } from '../../data/task-details.ts';
import type { QueueRow } from '../../data/queue-rows.ts';
import { text } from '../../text/text.ts';
import styles from './detail.module.css';
import { sayInsight } from './insight-words.ts';

// It comes beside the first question.
const Popover = lazy(() => import('../../parts/popover.tsx').then(({ Popover: component }) => ({ default: component })));

/** Facts, not reasons: they stand among the facts. */
const facts = ['CERTIFIED_BEFORE', 'COMMON', 'UNKNOWN_USE', 'INHERITED', 'NO_DESCRIPTION', 'TEMPORARY'];

export function Suggestion({ row, insights }: { row: QueueRow; insights: readonly Insight[] }) {
  const { recommendation = '' } = row;
  const isDeny = recommendation === 'DENY';
  const reasons = insights.filter(({ term, points }) => points > 0 && !facts.includes(term));
  if (reasons.length === 0) {
    return <p className={styles.calm}>{text('queue.nothingStandsOut')}</p>;
  }
  const isWeighty = isDeny || recommendation === 'REVIEW';
  const how = (
    <button type="button" className={styles.link} data-why="">
      {text('queue.howLink')}
    </button>
  );
  return (
    <div className={styles.suggestion} data-kind={isDeny ? 'deny' : isWeighty ? 'review' : 'plain'}>
      <div className={styles.suggestionHead}>
        <h3>{text(isDeny ? 'queue.probablyNotNeeded' : isWeighty ? 'queue.lookCloser' : 'queue.standsOut')}</h3>
        <small>
          {text('queue.rulesNotModel')}{' '}
          <Suspense fallback={how}>
            <Popover label={text('queue.how')} trigger={how}>
              <p>{text('queue.howText')}</p>
              <ul className={styles.points}>
                {insights.map((insight) => (
                  <li key={insight.term}>
                    <span>{sayInsight(insight)}</span>
                    <span>{insight.points > 0 ? `+${insight.points}` : String(insight.points)}</span>
                  </li>
                ))}
              </ul>
            </Popover>
          </Suspense>
        </small>
      </div>
      {reasons.map((insight) => (
        <p key={insight.term}>{sayInsight(insight)}</p>
      ))}
    </div>
  );
}
