/** Actions on everything that is chosen, below the list. */
import { freeTargets } from '~/data/queue/state/targets.ts';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './bulk.module.css';

export function BulkBar() {
  const { actions } = useQueue();
  const count = useQueueState(({ selected }) => selected.size);
  const free = useQueueState((state) => freeTargets(state).length);
  const mode = useQueueState((state) => state.mode);
  if (count === 0 || mode !== 'free') {
    return null;
  }
  const noneFree = free === 0 ? text('queue.noneFree') : undefined;
  return (
    <div className={styles.bar} role="toolbar" aria-label={text('queue.bulk')}>
      <span className={styles.count}>{text('queue.selected', { count })}</span>
      <Button icon="check" keys="c" disabledReason={noneFree} onClick={() => actions.decide({ choice: 'certify' })}>
        {text('queue.certifyMany', { count: free })}
      </Button>
      <Button icon="cross" keys="d" disabledReason={noneFree} onClick={() => actions.decide({ choice: 'deny' })}>
        {text('queue.denyMany', { count: free })}
      </Button>
      <Button icon="swap" keys="r" disabledReason={noneFree} onClick={() => actions.open('reassign')}>
        {text('queue.reassign')}
      </Button>
      <Button icon="comment" keys="m" onClick={() => actions.open('comment')}>
        {text('queue.comment')}
      </Button>
    </div>
  );
}
