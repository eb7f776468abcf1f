/** The frame around the pages of those who are signed in: side bar, sheet, and on a phone a bar below. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useSession } from '../data/session.ts';
import { waysInQuery } from '../data/sign-in.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keys.tsx';
import { loadLaterTexts, text } from '../text/text.ts';
import { BottomBar } from './bottom-bar.tsx';
import { navigation } from './navigation.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { openOver } from './over-everything.tsx';
import { PersonMenu } from './person-menu.tsx';
import styles from './shell.module.css';
import { usePreferencesHere } from './use-preferences-here.ts';
import { WaitingCount } from './waiting-count.tsx';

// Only who could load samples can remove them; everybody else need not wait for it.
const SamplesBanner = lazy(() =>
  Promise.all([import('./samples-banner.tsx'), loadLaterTexts()]).then(([{ SamplesBanner: component }]) => ({ default: component })),
);

export function Shell() {
  const session = useSession();
  const tenant = useQuery(waysInQuery).data?.tenant;
  usePreferencesHere();
  const [isOpen, setOpen] = useState(false);
  const { routesByPath } = useRouter();
  const sections = navigation
    .map((section) => ({
      ...section,
      // What has no page yet is not shown.
      entries: section.entries.filter(({ to, needs }) => to in routesByPath && (needs === undefined || session?.permissions.has(needs))),
    }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <div className={styles.shell} data-open={isOpen || undefined}>
      <a className={styles.skip} href="#content">
        {text('app.skip')}
      </a>
      <div className={styles.top}>
        <button type="button" className={styles.menu} aria-expanded={isOpen} aria-controls="sidebar" onClick={() => setOpen(!isOpen)}>
          <Icon name="menu" />
          <span>{text('app.menu')}</span>
        </button>
      </div>
      <nav id="sidebar" className={styles.sidebar} aria-label={text('app.navigation')}>
        <Link to="/" className={styles.brand} onClick={() => setOpen(false)}>
          <img src="/icon.svg" alt="" width="20" height="20" />
          <span>{tenant || text('app.name')}</span>
        </Link>
        <button type="button" className={styles.find} onClick={() => openOver('palette')}>
          <Icon name="search" />
          <span>{text('app.searchOrGo')}</span>
          <Keys keys="/" />
        </button>
        {sections.map((section) => (
          <div key={section.entries[0]?.to} className={styles.section}>
            {section.label === undefined ? null : <h2>{text(section.label)}</h2>}
            {section.entries.map((entry) => (
              <Link
                key={entry.to}
                to={entry.to}
                className={styles.entry}
                activeProps={{ 'data-current': true }}
                onClick={() => setOpen(false)}
              >
                <Icon name={entry.icon} />
                <span>{text(entry.label)}</span>
                {entry.to === '/home' ? <WaitingCount /> : null}
              </Link>
            ))}
          </div>
        ))}
        <PersonMenu />
      </nav>
      <button type="button" className={styles.scrim} aria-label={text('app.closeMenu')} onClick={() => setOpen(false)} />
      <div id="content" className={styles.sheet}>
        <OfflineBanner />
        {session?.permissions.has('imports.write') === true ? (
          <Suspense fallback={null}>
            <SamplesBanner />
          </Suspense>
        ) : null}
        <Outlet />
      </div>
      <BottomBar entries={sections.flatMap(({ entries }) => entries)} isOpen={isOpen} onMenu={() => setOpen(!isOpen)} />
    </div>
  );
}
