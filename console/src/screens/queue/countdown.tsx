/** A submission on its way: ten seconds to take it back, then what became of it. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { announce, announceError } from '../../app/announce.ts';
import type { Submission } from '../../data/submission.ts';
import { forget } from '../../data/query.ts';
import { Button } from '../../parts/button.tsx';
import { Ring } from '../../parts/ring.tsx';
import { text } from '../../text/text.ts';
import styles from './bulk.module.css';
import type { QueueModel } from './model.ts';

// It comes when there is something to show.
const Results = lazy(() => import('./results.tsx').then(({ Results: component }) => ({ default: component })));

interface CountdownProps {
  readonly submission: Submission;
  readonly model: QueueModel;
  readonly onUndo: () => void;
}

export function Countdown({ submission, model, onUndo }: CountdownProps) {
  const { state } = submission;
  useEffect(() => {
    if (state.phase === 'done') {
      const decided = new Map(state.results.filter((one) => one.decided).map((one) => [one.taskId, one]));
      const now = new Date().toISOString();
      model.rows.change(
        new Map(
          state.sent.flatMap((draft) =>
            decided.has(draft.taskId)
              ? [
                  [
                    draft.taskId,
                    {
                      state: 'CLOSED',
                      outcome: draft.choice === 'deny' ? 'DECERTIFIED' : 'CERTIFIED',
                      decidedByUserId: model.me,
                      decidedAt: now,
                    },
                  ] as const,
                ]
              : [],
          ),
        ),
      );
      announce(text('submit.saidRecorded', { count: decided.size }));
      void forget('MyReviewService.List', 'MySubmissionService.List', 'MyOutcomeService.List');
    } else if (state.phase === 'failed') {
      announceError(text('submit.notArrived'));
    }
  }, [state, model]);
  if (state.phase === 'waiting') {
    return <Waiting count={state.count} endsAt={state.endsAt} onUndo={onUndo} onSend={() => void submission.send()} />;
  }
  if (state.phase === 'sending') {
    return (
      <div className={styles.float} role="status">
        <span>{text('submit.sending', { count: state.count })}</span>
      </div>
    );
  }
  return state.phase === 'done' ? (
    <Suspense fallback={null}>
      <Results model={model} results={state.results} onClose={() => submission.dismiss()} />
    </Suspense>
  ) : null;
}

function Waiting({ count, endsAt, onUndo, onSend }: { count: number; endsAt: number; onUndo: () => void; onSend: () => void }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    announce(text('submit.saidWaiting', { count }));
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [count]);
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1000));
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
