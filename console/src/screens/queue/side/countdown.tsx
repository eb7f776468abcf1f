/** A submission on its way: ten seconds to take it back, then what became of it. */
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { announce, announceError } from '~/app/announce.ts';
import type { TaskResult } from '~/data/queue/state/state.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Ring } from '~/parts/drawings/ring.tsx';
import { text } from '~/text/text.ts';
import { isWriting } from '~/screens/queue/keys.ts';
import styles from '~/screens/queue/selection/bulk.module.css';
import { laterPart } from '~/screens/queue/later-part.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';

// It comes when there is something to show.
const Results = laterPart(() => import('./results.tsx').then(({ Results: component }) => component));

export function Countdown() {
  const { store, actions, askSubmission } = useQueue();
  const state = useQueueState(({ submission }) => submission);
  // Nothing comes over the words that somebody is writing: their next letters would be lost to it.
  const isFree = useQueueState(({ mode }) => mode === 'free');
  const isBusy = useSyncExternalStore(onFocus, () => isWriting(document.activeElement)) || !isFree;
  useEffect(() => {
    if (state.phase === 'done') {
      announce(text('submit.saidRecorded', { count: countRecorded(state.results) }));
    } else if (state.phase === 'changed') {
      announceError(text('submit.changed', { count: state.count }));
    } else if (state.phase === 'failed') {
      announceError(text('submit.notArrived'));
    }
  }, [state]);
  if (state.phase === 'waiting') {
    return (
      <Waiting
        count={state.count}
        endsAt={state.endsAt}
        onUndo={() => actions.undoLast()}
        onSend={() => store.dispatch({ kind: 'sendSubmission' })}
      />
    );
  }
  if (state.phase === 'elsewhere') {
    return (
      <section className={styles.float} aria-label={text('submit.onItsWay')}>
        <span role="status">{text('submit.elsewhere', { count: state.count })}</span>
        <Button keys="z" onClick={() => actions.undoLast()}>
          {text('submit.undo')}
        </Button>
        <Button variant="quiet" onClick={() => askSubmission('send')}>
          {text('submit.sendNow')}
        </Button>
      </section>
    );
  }
  if (state.phase === 'sending') {
    return (
      <div className={styles.float} role="status">
        <span>{text('submit.sending', { count: state.count })}</span>
      </div>
    );
  }
  if (state.phase === 'done' && isBusy) {
    return <div className={styles.float}>{text('submit.saidRecorded', { count: countRecorded(state.results) })}</div>;
  }
  return state.phase === 'done' ? (
    <Suspense fallback={null}>
      <Results results={state.results} onClose={() => store.dispatch({ kind: 'dismissSubmission' })} />
    </Suspense>
  ) : null;
}

const countRecorded = (results: readonly TaskResult[]): number => results.filter(({ decided }) => decided).length;

function onFocus(changed: () => void): () => void {
  document.addEventListener('focusin', changed);
  document.addEventListener('focusout', changed);
  return () => {
    document.removeEventListener('focusin', changed);
    document.removeEventListener('focusout', changed);
  };
}

function Waiting({ count, endsAt, onUndo, onSend }: { count: number; endsAt: number; onUndo: () => void; onSend: () => void }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    announce(text('submit.saidWaiting', { count }));
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [count]);
  // Somebody may set the clock meanwhile.
  const seconds = Math.min(10, Math.max(0, Math.ceil((endsAt - now) / 1000)));
  return (
    <section
      className={styles.float}
      aria-label={text('submit.onItsWay')}
      onKeyDown={(event) => {
        if (event.key === 'z') {
          onUndo();
        }
      }}
    >
      <Ring value={seconds} max={10} label={text('submit.secondsLeft')} size={24} />
      <span>{text('submit.goesOut', { count, seconds })}</span>
      <Button keys="z" onClick={onUndo} autoFocus>
        {text('submit.undo')}
      </Button>
      <Button variant="quiet" onClick={onSend}>
        {text('submit.sendNow')}
      </Button>
    </section>
  );
}
