/** The question about one task: what is asked, why it stands out, the facts, what others said, and the decision. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Failed } from '~/parts/states/failed.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Keys, ariaShortcut } from '~/parts/words/keys.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { isMeant } from '~/data/queue/drafts.ts';
import { currentRow, isUnderway, readAhead as rowsAhead, standing } from '~/data/queue/state/read-state.ts';
import { detailQuery, readAhead } from '~/data/queue/task-details.ts';
import { queries } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import { laterPart } from '~/screens/queue/later-part.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import { DecideBar } from './decide-bar.tsx';
import styles from './detail.module.css';
import { Question } from './question.tsx';
import { Suggestion } from './suggestion.tsx';
import { TaskFacts } from './task-facts.tsx';
import type { ReviewInfo } from '~/screens/queue/use-review-info.ts';

// Seldom shown: that somebody else was first, and what others said.
const Comments = laterPart(() => import('./comments.tsx').then(({ Comments: component }) => component));
const First = laterPart(() => import('./first.tsx').then(({ First: component }) => component));

interface DetailProps {
  readonly info: ReviewInfo | undefined;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** A task that is only passed over is not asked for. */
function useSettled(id: string): string {
  const isKnown = queries.getQueryData(detailQuery(id).queryKey) !== undefined;
  const [settled, setSettled] = useState(id);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), 120);
    return () => clearTimeout(timer);
  }, [id]);
  return isKnown ? id : settled;
}

export function Detail({ info, onBack, onDone }: DetailProps) {
  const { store, actions } = useQueue();
  const isReady = useQueueState((state) => state.isReady);
  const current = useQueueState((state) => state.current);
  const row = useQueueState(currentRow);
  const kind = useQueueState((state) => (row === undefined ? undefined : standing(state, row).kind));
  const ahead = useQueueState(rowsAhead);
  const place = useQueueState(({ lines }) => lines.ranks.get(current) ?? 0);
  const all = useQueueState(({ lines }) => lines.count);
  const isAnyMeant = useQueueState(({ drafts }) => [...drafts.values()].some(isMeant));
  const isGoing = useQueueState(isUnderway);
  const id = useSettled(current);
  const query = useQuery({ ...detailQuery(id, ahead), enabled: id !== '' });
  const next = ahead[1] ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another task is looked at
  useEffect(() => {
    if (query.data !== undefined && next !== '') {
      readAhead(rowsAhead(store.state).slice(1));
    }
  }, [id, next, query.data === undefined]);
  if (row === undefined) {
    return <div className={styles.none}>{isReady ? text('queue.noQuestion') : <Skeleton rows={4} />}</div>;
  }
  const detail = id === current ? query.data : undefined;
  return (
    <>
      <div className={styles.bar}>
        <button type="button" className={styles.back} onClick={onBack}>
          <Icon name="left" />
          <span>{text('queue.backToList')}</span>
        </button>
        <span className={styles.place}>{text('queue.place', { place, all })}</span>
        {isAnyMeant ? (
          <button type="button" className={styles.undo} disabled={isGoing} onClick={() => actions.undoLast()}>
            <span>{text('queue.undo')}</span>
          </button>
        ) : null}
        <button
          type="button"
          className={styles.step}
          aria-label={text('queue.previous')}
          aria-keyshortcuts={ariaShortcut('k')}
          onClick={() => store.dispatch({ kind: 'move', by: -1 })}
        >
          <Icon name="up" />
          <Keys keys="k" />
        </button>
        <button
          type="button"
          className={styles.step}
          aria-label={text('queue.next')}
          aria-keyshortcuts={ariaShortcut('j')}
          onClick={() => store.dispatch({ kind: 'move', by: 1 })}
        >
          <Icon name="down" />
          <Keys keys="j" />
        </button>
      </div>
      <div className={styles.body} key={current}>
        {kind === 'conflict' || kind === 'others' || kind === 'gone' ? (
          <Suspense fallback={null}>
            <First row={row} onDone={onDone} />
          </Suspense>
        ) : (
          <Question row={row} />
        )}
        {detail === undefined ? (
          query.error && id === current ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Skeleton rows={5} />
          )
        ) : (
          <>
            {kind === 'conflict' || kind === 'others' || kind === 'gone' ? null : <Suggestion row={row} detail={detail} />}
            <TaskFacts row={row} facts={detail.facts} insights={detail.insights} />
            <Suspense fallback={null}>{detail.commentCount > 0 ? <Comments taskId={row.taskId} /> : null}</Suspense>
          </>
        )}
        {info?.reviewInstructions ? (
          <details className={styles.instructions}>
            <summary>{text('queue.instructions')}</summary>
            <p>{info.reviewInstructions}</p>
          </details>
        ) : null}
      </div>
      <DecideBar key={`decide ${current}`} onDone={onDone} />
    </>
  );
}
