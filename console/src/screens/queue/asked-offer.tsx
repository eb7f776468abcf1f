/** Says that more is asked than the list shows, and offers to show it: nothing comes into a list by itself while somebody works on it. */
import { useEffect, useRef, useState } from 'react';
import type { QueueView } from '~/data/queue/state/view.ts';
import { Banner } from '~/parts/states/banner.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from './use-queue.ts';

interface AskedOfferProps {
  readonly onView: (parts: Partial<QueueView>) => void;
  readonly onDone: () => void;
}

export function AskedOffer({ onView, onDone }: AskedOfferProps) {
  const { store } = useQueue();
  const count = useQueueState(({ asked }) => asked.size);
  const shown = useQueueState(({ rows }) => rows.shown);
  const phase = useQueueState(({ rows }) => rows.phase);
  /** The reading that is to show them; 0 for none. */
  const [round, setRound] = useState(0);
  const latest = useRef({ onView, onDone });
  latest.current = { onView, onDone };
  useEffect(() => {
    const isHere = shown !== undefined && shown.round >= round;
    if (round === 0 || !(isHere || phase === 'failed')) {
      return;
    }
    setRound(0);
    const { onView: show, onDone: done } = latest.current;
    if (isHere && shown.asked.size > 0 && !shown.asked.has(store.state.current)) {
      show({ group: '', show: 'todo', q: '' });
    }
    done();
  }, [store, round, shown, phase]);
  if (count === 0) {
    return null;
  }
  const show = () => {
    store.dispatch({ kind: 'readAnew' });
    setRound(store.state.rows.reading.round);
  };
  return (
    <Banner
      kind="info"
      action={
        <Button busy={round !== 0} onClick={show}>
          {text('queue.showAsked', { count })}
        </Button>
      }
    >
      {text('queue.moreAsked', { count })}
    </Banner>
  );
}
