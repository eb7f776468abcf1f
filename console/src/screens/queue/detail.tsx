/** The question about one task: what is asked, why it stands out, the facts, what others said, and the decision. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Failed } from '../../parts/failed.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Keys, shortcutOf } from '../../parts/keys.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { detailOf, readAhead } from '../../data/task-details.ts';
import { queries } from '../../data/query.ts';
import { text } from '../../text/text.ts';
import { Comments } from './comments.tsx';
import type { QueueActions } from './actions.ts';
import { DecideBar } from './decide-bar.tsx';
import styles from './detail.module.css';
import type { QueueModel } from './model.ts';
import { Question } from './question.tsx';
import { Suggestion } from './suggestion.tsx';
import { TaskFacts } from './task-facts.tsx';
import type { ReviewInfo } from './use-review-info.ts';

// Seldom shown: that somebody else was first.
const First = lazy(() => import('./first.tsx').then(({ First: component }) => ({ default: component })));

interface DetailProps {
  readonly model: QueueModel;
  readonly actions: QueueActions;
  readonly info: ReviewInfo | undefined;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** A task that is only passed over is not asked for. */
function useSettled(id: string): string {
  const isKnown = queries.getQueryData(detailOf(id).queryKey) !== undefined;
  const [settled, setSettled] = useState(id);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), 120);
    return () => clearTimeout(timer);
  }, [id]);
  return isKnown ? id : settled;
}

export function Detail({ model, actions, info, onBack, onDone }: DetailProps) {
  const id = useSettled(model.current);
  const row = model.row(model.current);
  const ahead = model.ahead(12);
  const query = useQuery({ ...detailOf(id, ahead), enabled: id !== '' });
  const next = ahead[1] ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another task is looked at
  useEffect(() => {
    if (query.data !== undefined && next !== '') {
      readAhead(model.ahead(12).slice(1));
    }
  }, [id, next, query.data === undefined]);
  if (row === undefined) {
    return <div className={styles.none}>{model.isReady ? text('queue.noQuestion') : <Skeleton rows={4} />}</div>;
  }
  const detail = id === model.current ? query.data : undefined;
  const { kind } = model.standing(row);
  return (
    <>
      <div className={styles.bar}>
        <button type="button" className={styles.back} onClick={onBack}>
          <Icon name="left" />
          <span>{text('queue.backToList')}</span>
        </button>
        <span className={styles.place}>{text('queue.place', { place: model.ranks.get(model.current) ?? 0, all: model.count })}</span>
        <button
          type="button"
          className={styles.step}
          aria-label={text('queue.previous')}
          aria-keyshortcuts={shortcutOf('k')}
          onClick={() => model.move(-1)}
        >
          <Icon name="up" />
          <Keys keys="k" />
        </button>
        <button
          type="button"
          className={styles.step}
          aria-label={text('queue.next')}
          aria-keyshortcuts={shortcutOf('j')}
          onClick={() => model.move(1)}
        >
          <Icon name="down" />
          <Keys keys="j" />
        </button>
      </div>
      <div className={styles.body} key={model.current}>
        {kind === 'conflict' || kind === 'others' || kind === 'gone' ? (
          <Suspense fallback={null}>
            <First model={model} actions={actions} row={row} onDone={onDone} />
          </Suspense>
        ) : (
          <Question row={row} />
        )}
        {detail === undefined ? (
          query.error && id === model.current ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Skeleton rows={5} />
          )
        ) : (
          <>
            {kind === 'conflict' || kind === 'others' || kind === 'gone' ? null : <Suggestion row={row} detail={detail} />}
            <TaskFacts row={row} facts={detail.facts} insights={detail.insights} me={model.me} />
            <Comments taskId={row.taskId} count={detail.commentCount} />
          </>
        )}
        {info?.reviewInstructions ? (
          <details className={styles.instructions}>
            <summary>{text('queue.instructions')}</summary>
            <p>{info.reviewInstructions}</p>
          </details>
        ) : null}
      </div>
      <DecideBar key={`decide ${model.current}`} model={model} actions={actions} onDone={onDone} />
    </>
  );
}
