/** Sign that decisions are on the server, given only when they are. */
import { readSaving } from '~/data/queue/state/read-state.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { clock } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './saved-state.module.css';

export function SavedState() {
  const { state, unsaved, since } = useQueueState(readSaving);
  const isKept = useQueueState(({ saving }) => saving.isKept);
  const isSaved = unsaved === 0;
  return (
    <p className={styles.saved} data-state={isSaved ? 'saved' : state}>
      <Icon name={isSaved ? 'check' : state === 'device' || state === 'fault' ? 'offline' : 'sync'} />
      <span>
        {isSaved
          ? text('queue.allSaved')
          : state === 'waiting' || state === 'sending'
            ? text('queue.saving', { count: unsaved })
            : isKept
              ? text('queue.onDeviceSince', { count: unsaved, time: clock(new Date(since)) })
              : text('queue.notSaved', { count: unsaved })}
      </span>
    </p>
  );
}
