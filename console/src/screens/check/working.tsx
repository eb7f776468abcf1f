/** Progress of preparation or start, as the server counts it. */
import { Progress } from '~/parts/drawings/progress.tsx';
import { count } from '~/data/count.ts';
import type { Progress as ReviewProgress, Stage } from '~/data/reviews/review.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './check.module.css';

export function Working({ stage, progress }: { stage: Stage; progress: ReviewProgress | undefined }) {
  const done = count(progress?.progress?.done);
  const total = count(progress?.progress?.total);
  const words = stage === 'starting' ? text('check.starting') : text('check.preparing');
  return (
    <div className={styles.working} role="status">
      <strong>{words}</strong>
      <Progress value={done} max={Math.max(total, 1)} label={words} />
      <span className={styles.quiet}>
        {total > 0 ? text('check.workDone', { done: number(done), total: number(total) }) : text('check.workBegins')}
      </span>
    </div>
  );
}
