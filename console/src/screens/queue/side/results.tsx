/** Outcome of a submission: how much was recorded, and what was refused, row by row with its reason. */
import { Link } from '@tanstack/react-router';
import { readTotals } from '~/data/queue/state/read-state.ts';
import type { TaskResult } from '~/data/queue/state/state.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { text } from '~/text/text.ts';
import styles from './submit.module.css';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import { holderOf, rightOf } from '~/data/queue/state/standing.ts';

interface ResultsProps {
  readonly results: readonly TaskResult[];
  readonly onClose: () => void;
}

export function Results({ results, onClose }: ResultsProps) {
  const { store } = useQueue();
  const recorded = results.filter(({ decided }) => decided).length;
  const refused = results.filter(({ decided }) => !decided);
  const { left } = useQueueState(readTotals);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={text('submit.recorded', { count: recorded })}
      footer={
        <>
          <Link to="/my/submissions">{text('home.allSubmissions')}</Link>
          <Button variant="primary" onClick={onClose}>
            {text(left > 0 ? 'submit.goOn' : 'submit.done')}
          </Button>
        </>
      }
    >
      <p>{left > 0 ? text('submit.someLeft', { left }) : text('submit.noneLeft')}</p>
      {refused.length === 0 ? null : (
        <>
          <h3 className={styles.heading}>{text('submit.notRecorded', { count: refused.length })}</h3>
          <ul className={styles.looks}>
            {refused.map(({ taskId, message }) => {
              const row = store.state.rows.byId.get(taskId);
              return (
                <li key={taskId}>
                  <span>
                    <strong>{row === undefined ? taskId : holderOf(row)}</strong> {row === undefined ? '' : rightOf(row)}
                    <small>{message}</small>
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Dialog>
  );
}
