/** The groups of a queue with what is left of each. */
import { Icon } from '../../parts/icon.tsx';
import { Initials } from '../../parts/initials.tsx';
import { Progress } from '../../parts/progress.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { QueueView } from './address.ts';
import type { QueueModel } from './model.ts';
import styles from './sidebar.module.css';
import { groupOf } from './standing.ts';

/** More of them are found by the filter. */
const most = 200;

interface GroupListProps {
  readonly model: QueueModel;
  readonly view: QueueView;
  readonly onView: (view: QueueView) => void;
}

export function GroupList({ model, view, onView }: GroupListProps) {
  const groups = model.groups();
  const row = model.row(model.current);
  const current = view.by === 'person' ? (row === undefined ? '' : groupOf(row, 'person')) : view.group;
  const choose = (id: string) => {
    if (view.by === 'person') {
      const first = model.items.find((item) => item.kind === 'head' && item.key === `head ${id}`);
      model.go(first?.kind === 'head' ? (first.ids.find((one) => !model.isDecided(one)) ?? first.ids[0] ?? '') : '');
    } else {
      onView({ ...view, group: id });
    }
  };
  const { total, left } = model.totals();
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
            <span className={styles.groupName}>{group.name}</span>
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
