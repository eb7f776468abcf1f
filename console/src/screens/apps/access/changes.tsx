/** Everything that was granted in an app and that ended, newest first. */
import { useChanges } from '~/data/inventory/changes.ts';
import type { App } from '~/data/inventory/inventory.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import { ChangeList } from './change-list.tsx';

export function Changes({ app }: { app: App }) {
  const { query, changes } = useChanges(app.id ?? '', 50);
  return (
    <Load query={query}>
      {() =>
        changes.length === 0 ? (
          <Empty icon="history" title={text('apps.noChanges')} />
        ) : (
          <div className={styles.pad}>
            <ChangeList app={app} changes={changes} />
            <Pages query={query} />
          </div>
        )
      }
    </Load>
  );
}
