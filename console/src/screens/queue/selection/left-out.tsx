/** Items of the selection that cannot be decided any more, each with why, and a way out of the selection. */
import { leftOut } from '~/data/queue/state/targets.ts';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './bulk.module.css';
import { sayLeftOut } from './left-out-words.ts';

/** More of them are in the list. */
const most = 8;

export function LeftOut() {
  const { store } = useQueue();
  const left = leftOut(useQueueState((state) => state));
  if (left.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{text('queue.leftOut')}</h3>
      <ul className={styles.loud}>
        {left.slice(0, most).map((one) => (
          <li key={one.id}>
            <span>{sayLeftOut(one)}</span>
            <button type="button" className={styles.link} onClick={() => store.dispatch({ kind: 'toggle', id: one.id })}>
              {text('queue.unselect')}
            </button>
          </li>
        ))}
      </ul>
      {left.length > most ? <p className={styles.faint}>{text('queue.andMore', { count: left.length - most })}</p> : null}
    </>
  );
}
