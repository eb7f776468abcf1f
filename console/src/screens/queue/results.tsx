/** What became of a submission: how much was recorded, and what was refused, row by row with its reason. */
import { Link } from '@tanstack/react-router';
import type { TaskResult } from '../../data/submission.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { text } from '../../text/text.ts';
import styles from './submit.module.css';
import type { QueueModel } from './model.ts';
import { holderOf, rightOf } from './standing.ts';

interface ResultsProps {
  readonly model: QueueModel;
  readonly results: readonly TaskResult[];
  readonly onClose: () => void;
}

export function Results({ model, results, onClose }: ResultsProps) {
  const recorded = results.filter(({ decided }) => decided).length;
  const refused = results.filter(({ decided }) => !decided);
  const { left } = model.totals();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={text('submit.recorded', { count: recorded })}
      footer={
        <>
          <Link to={'/my/submissions' as string}>{text('submit.allSubmissions')}</Link>
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
              const row = model.row(taskId);
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
