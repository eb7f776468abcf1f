/** The way around on a phone: the pages one needs most, and the menu with all of them. */
import { Link } from '@tanstack/react-router';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from './bottom-bar.module.css';
import type { Entry } from '~/app/navigation.ts';
import { openOver } from './over-everything.tsx';

const first = ['/home', '/reviews', '/apps', '/my/access'];

interface BottomBarProps {
  /** Those that the person may see. */
  readonly entries: readonly Entry[];
  readonly isOpen: boolean;
  readonly onMenu: () => void;
}

export function BottomBar({ entries, isOpen, onMenu }: BottomBarProps) {
  const shown = first.flatMap((to) => entries.filter((entry) => entry.to === to)).slice(0, 3);
  return (
    <nav className={styles.bar} aria-label={text('app.shortNavigation')}>
      {shown.map((entry) => (
        <Link key={entry.to} to={entry.to} className={styles.entry} activeProps={{ 'data-current': true }}>
          <Icon name={entry.icon} size={20} />
          <span>{text(entry.label)}</span>
        </Link>
      ))}
      <button type="button" className={styles.entry} onClick={() => openOver('palette')}>
        <Icon name="search" size={20} />
        <span>{text('app.search')}</span>
      </button>
      <button type="button" className={styles.entry} aria-expanded={isOpen} aria-controls="sidebar" onClick={onMenu}>
        <Icon name="menu" size={20} />
        <span>{text('app.menu')}</span>
      </button>
    </nav>
  );
}
