/** The last few changes of an app, below its rights. */
import { Link } from '@tanstack/react-router';
import { useChanges } from '~/data/inventory/changes.ts';
import type { App } from '~/data/inventory/inventory.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import { ChangeList } from './change-list.tsx';

const shown = 5;

export function RecentChanges({ app }: { app: App }) {
  const { changes } = useChanges(app.id ?? '', 20);
  return changes.length === 0 ? null : (
    <section className={styles.below}>
      <h3>
        {text('apps.changesNewest')}
        <Link to="/apps/$app/$tab" params={{ app: app.id ?? '', tab: 'changes' }}>
          {text('apps.allChanges')}
        </Link>
      </h3>
      <ChangeList app={app} changes={changes.slice(0, shown)} />
    </section>
  );
}
