/** The frame around the pages of those who are signed in: side bar, sheet, and on a phone a bar below. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLater } from '~/data/later.ts';
import { read } from '~/data/query.ts';
import { openDrafts, useSession } from '~/data/session/session.ts';
import { useTenantName } from '~/data/session/tenant-name.ts';
import { Emblem } from '~/parts/words/emblem.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Keys } from '~/parts/words/keys.tsx';
import { text } from '~/text/text.ts';
import { BottomBar } from './bottom-bar.tsx';
import { EntryCount } from './entry-count.tsx';
import { navigation } from '~/app/navigation.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { openOver } from './over-everything.tsx';
import { PersonMenu } from './person-menu.tsx';
import { SamplesNotice } from './samples-notice.tsx';
import styles from './shell.module.css';
import { usePreferencesHere } from '~/app/use-preferences-here.ts';
import { WaitingCount } from './waiting-count.tsx';

export function Shell() {
  const session = useSession();
  const tenant = useTenantName();
  usePreferencesHere();
  const isLater = useLater();
  useEffect(() => {
    if (isLater && session !== undefined) {
      // A page that needs the key asks again.
      openDrafts().catch(() => undefined);
    }
  }, [isLater, session]);
  const [isOpen, setOpen] = useState(false);
  // Owners read the apps they own, without a role.
  const isOwnerAlone = session !== undefined && !session.permissions.has('inventory.read');
  const owned = useQuery({ ...read('AppService.List', { pageSize: 1 }), enabled: isOwnerAlone, staleTime: 300_000, retry: false });
  const ownsApps = isOwnerAlone && (owned.data?.list ?? []).length > 0;
  const sections = navigation
    .map((section) => ({
      ...section,
      entries: section.entries.filter(
        ({ to, needs }) => needs === undefined || session?.permissions.has(needs) || (to === '/apps' && ownsApps),
      ),
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
          <Emblem size={20} />
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
                {entry.to === '/home' ? <WaitingCount /> : <EntryCount to={entry.to} />}
              </Link>
            ))}
          </div>
        ))}
        <PersonMenu />
      </nav>
      <button type="button" className={styles.scrim} aria-label={text('app.closeMenu')} onClick={() => setOpen(false)} />
      <div id="content" className={styles.sheet}>
        <OfflineBanner />
        {session?.permissions.has('imports.write') === true ? <SamplesNotice /> : null}
        <Outlet />
      </div>
      <BottomBar entries={sections.flatMap(({ entries }) => entries)} isOpen={isOpen} onMenu={() => setOpen(!isOpen)} />
    </div>
  );
}
