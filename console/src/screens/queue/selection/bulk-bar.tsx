/** Actions on everything that is chosen, below the list. */
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './bulk.module.css';

export function BulkBar() {
  const { actions } = useQueue();
  const count = useQueueState(({ selected }) => selected.size);
  const mode = useQueueState((state) => state.mode);
  if (count === 0 || mode !== 'free') {
    return null;
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label={text('queue.bulk')}>
      <span className={styles.count}>{text('queue.selected', { count })}</span>
      <Button icon="check" keys="c" onClick={() => actions.decide({ choice: 'certify' })}>
        {text('queue.certifyMany', { count })}
      </Button>
      <Button icon="cross" keys="d" onClick={() => actions.decide({ choice: 'deny' })}>
        {text('queue.denyMany', { count })}
      </Button>
      <Button icon="swap" keys="r" onClick={() => actions.open('reassign')}>
        {text('queue.reassign')}
      </Button>
      <Button icon="comment" keys="m" onClick={() => actions.open('comment')}>
        {text('queue.comment')}
      </Button>
    </div>
  );
}
