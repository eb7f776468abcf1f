/** Mark of a part of the form, done or not: a check, or a dot that is filled where the part is open. */
import { Hidden } from '~/parts/words/hidden.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';

export function PartMark({ isDone, isCurrent }: { isDone: boolean; isCurrent: boolean }) {
  return isDone && !isCurrent ? (
    <span className={styles.done}>
      <Icon name="check" size={12} />
      <Hidden>{text('scope.isDone')}</Hidden>
    </span>
  ) : (
    <span className={styles.dot} data-current={isCurrent || undefined} />
  );
}
