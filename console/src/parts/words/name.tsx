/** A name from outside: it keeps its own direction to itself, and breaks where it is too long. */
import styles from './name.module.css';

export function Name({ children, strong = false }: { children: string | undefined; strong?: boolean }) {
  return (
    <bdi className={styles.name} data-strong={strong || undefined}>
      {children}
    </bdi>
  );
}
