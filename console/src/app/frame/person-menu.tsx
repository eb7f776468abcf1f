/** Signed-in person, at the foot of the side bar: their settings, the help on keys, and the way out. */
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '~/data/session/session.ts';
import { Initials } from '~/parts/words/initials.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { text } from '~/text/text.ts';
import { openOver } from './over-everything.tsx';
import styles from './person-menu.module.css';

export function PersonMenu() {
  const session = useSession();
  const navigate = useNavigate();
  if (session === undefined) {
    return null;
  }
  const person = (
    <button type="button" className={styles.name}>
      <Initials name={session.name} />
      <span>
        <strong>{session.name}</strong>
        <small>{session.jobTitle}</small>
      </span>
    </button>
  );
  return (
    <div className={styles.person}>
      <Menu
        label={text('app.account')}
        trigger={person}
        items={[
          { label: text('nav.settings'), icon: 'sliders', onSelect: () => void navigate({ to: '/settings' }) },
          { label: text('app.signOut'), icon: 'lock', onSelect: () => openOver('signOut') },
        ]}
      />
      <button type="button" className={styles.keys} aria-label={text('app.keys')} onClick={() => openOver('keys')}>
        ?
      </button>
    </div>
  );
}
