/** Changes of an app as sentences: who got or lost what, by which file, and when. */
import { Link } from '@tanstack/react-router';
import type { Change } from '~/data/inventory/changes.ts';
import { accountName, type App, rightWords } from '~/data/inventory/inventory.ts';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { besideApp } from '~/text/join-names.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';

function nameOf({ right }: Change, app: App): string {
  const { title, isDescribed } = rightWords(right);
  return isDescribed ? title : besideApp(app.displayName, title);
}

export function ChangeList({ app, changes }: { app: App; changes: readonly Change[] }) {
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={change.key}>
          <span className={change.isAdded ? styles.plus : styles.less} aria-hidden="true">
            {change.isAdded ? '+' : '−'}
          </span>
          <span className={styles.what}>
            <Rich
              id={change.isAdded ? 'apps.got' : 'apps.lost'}
              values={{ who: accountName(change.account), what: nameOf(change, app) }}
              tags={{ b: (inner) => <Name strong>{inner}</Name>, i: (inner) => <Name>{inner}</Name> }}
            />
          </span>
          {change.sync === undefined ? null : (
            <Link
              className={styles.quiet}
              to="/apps/$app/$tab"
              params={{ app: app.id ?? '', tab: 'syncs' }}
              search={{ sync: change.sync.id }}
            >
              {text('apps.bySync')}
            </Link>
          )}
          <When at={change.at} />
        </li>
      ))}
    </ul>
  );
}
