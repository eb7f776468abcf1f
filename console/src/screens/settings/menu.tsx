/** The menu of the settings: one's own, then the company's. Only what the person may read is there. */
import { Link } from '@tanstack/react-router';
import { useSession } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';
import { ownEntries, type SettingsEntry, tenantEntries } from './entries.ts';
import styles from './settings.module.css';

export function SettingsMenu() {
  const session = useSession();
  const groups = [
    { label: 'settings.you', entries: ownEntries },
    { label: 'settings.company', entries: tenantEntries },
  ] as const;
  const shown = ({ needs }: SettingsEntry) => needs === undefined || session?.permissions.has(needs);
  return (
    <nav className={styles.menu} aria-label={text('settings.title')}>
      {groups.map(({ label, entries }) =>
        entries.some(shown) ? (
          <div key={label} className={styles.group}>
            <h2>{text(label)}</h2>
            {entries.filter(shown).map((entry) => (
              <Link key={entry.to} to={entry.to} className={styles.entry} activeProps={{ 'data-current': true }}>
                {text(entry.label)}
              </Link>
            ))}
          </div>
        ) : null,
      )}
    </nav>
  );
}
