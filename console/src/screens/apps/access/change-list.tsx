/** Changes of an app as sentences: who got or lost what, by which file, and when. */
import { Link } from '@tanstack/react-router';
import type { Change } from '~/data/inventory/changes.ts';
import { accountName, rightWords } from '~/data/inventory/inventory.ts';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';

export function ChangeList({ appId, changes }: { appId: string; changes: readonly Change[] }) {
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
              values={{ who: accountName(change.account), what: rightWords(change.right).title }}
              tags={{ b: (inner) => <Name strong>{inner}</Name>, i: (inner) => <Name>{inner}</Name> }}
            />
          </span>
          {change.sync === undefined ? null : (
            <Link className={styles.quiet} to="/apps/$app/$tab" params={{ app: appId, tab: 'syncs' }} search={{ sync: change.sync.id }}>
              {text('apps.bySync')}
            </Link>
          )}
          <When at={change.at} />
        </li>
      ))}
    </ul>
  );
}
