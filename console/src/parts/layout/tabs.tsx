/** The parts of one page, each with an address of its own. */
import { Link, type LinkOptions } from '@tanstack/react-router';
import { number } from '~/text/format.ts';
import styles from './tabs.module.css';

export interface Tab {
  /** Its target. A tab without a search does not look at that of the address. */
  readonly link: LinkOptions;
  readonly label: string;
  readonly count?: number | undefined;
  /** True if it is the one shown, where the address does not say so. */
  readonly current?: boolean | undefined;
}

export function Tabs({ label, items }: { label: string; items: readonly Tab[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {items.map((item) => (
        <Link
          key={item.label}
          {...item.link}
          className={styles.tab}
          activeOptions={{ exact: true, includeSearch: item.link.search !== undefined }}
          {...(item.current === undefined
            ? { activeProps: { 'aria-current': 'page' as const } }
            : { activeProps: { 'aria-current': undefined }, 'aria-current': item.current ? ('page' as const) : undefined })}
        >
          {item.label}
          {item.count === undefined ? null : <span className={styles.count}>{number(item.count)}</span>}
        </Link>
      ))}
    </nav>
  );
}
