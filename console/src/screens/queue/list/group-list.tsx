/** The groups of a queue with what is left of each. */
import { Icon } from '~/parts/words/icon.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { currentRow, isDecided, readGroups, readTotals } from '~/data/queue/state/read-state.ts';
import { groupOf } from '~/data/queue/state/standing.ts';
import type { QueueView } from '~/data/queue/state/view.ts';
import styles from '~/screens/queue/side/sidebar.module.css';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';

/** More of them are found by the filter. */
const most = 200;

interface GroupListProps {
  readonly view: QueueView;
  readonly onView: (parts: Partial<QueueView>) => void;
}

export function GroupList({ view, onView }: GroupListProps) {
  const { store } = useQueue();
  const groups = useQueueState(readGroups);
  const { total, left } = useQueueState(readTotals);
  const row = useQueueState(currentRow);
  const current = view.by === 'person' ? (row === undefined ? '' : groupOf(row, 'person')) : view.group;
  const choose = (id: string) => {
    if (view.by === 'person') {
      const { state } = store;
      const head = state.lines.items.find((item) => item.kind === 'head' && item.key === `head ${id}`);
      const ids = head?.kind === 'head' ? head.ids : [];
      store.dispatch({ kind: 'go', id: ids.find((one) => !isDecided(state, one)) ?? ids[0] ?? '' });
    } else {
      onView({ group: id });
    }
  };
  return (
    <ul className={styles.list}>
      {view.by === 'person' || groups.length < 2 ? null : (
        <li>
          <button type="button" className={styles.group} aria-current={current === '' ? 'true' : undefined} onClick={() => choose('')}>
            <span className={styles.groupName}>{text(view.by === 'app' ? 'queue.allApps' : 'queue.allResources')}</span>
            <Left left={left} />
            <Progress value={total - left} max={total} label={text('queue.progress')} />
          </button>
        </li>
      )}
      {groups.slice(0, most).map((group) => (
        <li key={group.id}>
          <button
            type="button"
            className={styles.group}
            data-person={view.by === 'person' || undefined}
            data-done={group.left === 0 || undefined}
            aria-current={group.id === current ? 'true' : undefined}
            onClick={() => choose(group.id)}
          >
            {view.by === 'person' ? <Initials name={group.name} size={20} /> : null}
            <span className={styles.groupName} title={group.name}>
              {group.name}
            </span>
            <Left left={group.left} />
            {view.by === 'person' ? null : (
              <Progress value={group.total - group.left} max={group.total} label={text('queue.progressOf', { name: group.name })} />
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Left({ left }: { left: number }) {
  return (
    <span className={styles.groupLeft}>
      {left === 0 ? (
        <>
          <Icon name="check" size={14} />
          <span className={styles.sr}>{text('queue.groupDone')}</span>
        </>
      ) : (
        number(left)
      )}
    </span>
  );
}
