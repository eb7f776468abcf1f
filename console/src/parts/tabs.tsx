/** The parts of one page, each with an address of its own. */
import { Link } from '@tanstack/react-router';
import { number } from '../text/format.ts';
import { linkTo } from './link-to.ts';
import styles from './tabs.module.css';

export interface Tab {
  readonly to: string;
  /** What of the address's search the tab stands for. A tab without it does not look at the search. */
  readonly search?: Readonly<Record<string, unknown>> | undefined;
  readonly label: string;
  readonly count?: number | undefined;
  /** Whether it is the one shown, where the address does not say so. */
  readonly current?: boolean | undefined;
}

export function Tabs({ label, items }: { label: string; items: readonly Tab[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {items.map((item) => (
        <Link
          key={`${item.to} ${JSON.stringify(item.search ?? null)}`}
          {...linkTo(item.to)}
          {...(item.search === undefined ? {} : { search: item.search as Record<string, unknown> })}
          className={styles.tab}
          activeOptions={{ exact: true, includeSearch: item.search !== undefined }}
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
