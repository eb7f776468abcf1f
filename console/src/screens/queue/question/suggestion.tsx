/** Advice of rules on a task, with their reasons. There is no box where nothing stands out. */
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useMay } from '~/data/session/session.ts';
import type { BrokenRule, Insight, TaskDetail } from '~/data/queue/task-details.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { loadOverPage } from '~/parts/over/load-over-page.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import { laterPart } from '~/screens/queue/later-part.ts';
import styles from './detail.module.css';
import { sayInsight } from './insight-words.ts';

// It comes beside the first question.
const Popover = laterPart(() => loadOverPage().then(({ Popover: component }) => component));

/** Facts, not reasons: they stand among the facts. */
const notReasons = ['CERTIFIED_BEFORE', 'COMMON', 'UNKNOWN_USE', 'INHERITED', 'NO_DESCRIPTION', 'TEMPORARY'];

interface SuggestionProps {
  readonly row: QueueRow;
  readonly detail: Pick<TaskDetail, 'insights' | 'facts'>;
}

export function Suggestion({ row, detail: { insights, facts } }: SuggestionProps) {
  const { recommendation = '' } = row;
  const isDeny = recommendation === 'DENY';
  const reasons = insights.filter(({ term, points }) => points > 0 && !notReasons.includes(term));
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
        <Reason key={insight.term} insight={insight} facts={facts} />
      ))}
    </div>
  );
}

/** A reason; of a conflict each rule that is broken, which leads to the rule where one may read it. */
function Reason({ insight, facts }: { insight: Insight; facts: TaskDetail['facts'] }) {
  const mayRead = useMay('policies.read');
  const rules = insight.term === 'CONFLICT' && Array.isArray(facts['conflicts']) ? (facts['conflicts'] as BrokenRule[]) : [];
  if (rules.length === 0) {
    return <p>{sayInsight(insight)}</p>;
  }
  return rules.map(({ monitorId, displayName }) => {
    const name = (inner: string) =>
      mayRead ? (
        <Link to="/conflicts/$id" params={{ id: monitorId }}>
          {inner}
        </Link>
      ) : (
        <strong>{inner}</strong>
      );
    return (
      <p key={monitorId}>
        <Rich id="insight.breaksRule" values={{ rule: displayName }} tags={{ a: name }} />
      </p>
    );
  });
}
