/** A name from outside: it keeps its own direction to itself, breaks where it is too long, and shows characters in it that nobody sees. */
import { showHidden } from '~/text/quote-name.ts';
import styles from './name.module.css';

export function Name({ children, strong = false }: { children: string | undefined; strong?: boolean }) {
  return (
    <bdi className={styles.name} data-strong={strong || undefined}>
      {children === undefined ? undefined : showHidden(children)}
    </bdi>
  );
}
