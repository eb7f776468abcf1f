/** Numbers added, changed, removed: `+9 ~2 −23`, with the words for those who do not see it. */
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './delta.module.css';

interface DeltaProps {
  readonly plus: number;
  readonly changed?: number;
  readonly minus: number;
}

export function Delta({ plus, changed = 0, minus }: DeltaProps) {
  return plus === 0 && minus === 0 && changed === 0 ? (
    <span className={styles.quiet}>{text('sync.noChange')}</span>
  ) : (
    <span className={styles.delta} role="img" aria-label={text('sync.delta', { plus, changed, minus })}>
      {plus === 0 ? null : <span className={styles.plus}>{`+${number(plus)}`}</span>}
      {changed === 0 ? null : <span className={styles.quiet}>{`~${number(changed)}`}</span>}
      {minus === 0 ? null : <span className={styles.minus}>{`−${number(minus)}`}</span>}
    </span>
  );
}
