/** Whether what was decided is on the server, said only when it is. */
import type { DraftBox } from '../../data/draft-box.ts';
import { Icon } from '../../parts/icon.tsx';
import { clock } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './sidebar.module.css';

export function SavedState({ box }: { box: DraftBox }) {
  const { state, unsaved, since } = box.saving;
  const isSaved = unsaved === 0;
  return (
    <p className={styles.saved} data-state={isSaved ? 'saved' : state}>
      <Icon name={isSaved ? 'check' : state === 'device' || state === 'fault' ? 'offline' : 'sync'} />
      <span>
        {isSaved
          ? text('queue.allSaved')
          : state === 'waiting' || state === 'sending'
            ? text('queue.saving', { count: unsaved })
            : text('queue.onDeviceSince', { count: unsaved, time: clock(new Date(since)) })}
      </span>
    </p>
  );
}
