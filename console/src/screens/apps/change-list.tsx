/** Changes of an app as sentences: who got or lost what, by which file, and when. */
import { Link } from '@tanstack/react-router';
import type { Change } from '../../data/changes.ts';
import { accountName, wordsOf } from '../../data/inventory.ts';
import { Name } from '../../parts/name.tsx';
import { When } from '../../parts/when.tsx';
import { Rich } from '../../text/rich.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';

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
              values={{ who: accountName(change.account), what: wordsOf(change.right).title }}
              tags={{ b: (inner) => <Name strong>{inner}</Name>, i: (inner) => <Name>{inner}</Name> }}
            />
          </span>
          {change.sync === undefined ? null : (
            <Link className={styles.quiet} to={`/apps/${appId}/syncs` as string} search={{ sync: change.sync.id } as never}>
              {text('apps.bySync')}
            </Link>
          )}
          <When at={change.at} />
        </li>
      ))}
    </ul>
  );
}
