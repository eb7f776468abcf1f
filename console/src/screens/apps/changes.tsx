/** Everything that was granted in an app and that ended, newest first. */
import { useChanges } from '../../data/changes.ts';
import type { App } from '../../data/inventory.ts';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
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
            <ChangeList appId={app.id ?? ''} changes={changes} />
            <Pages query={query} />
          </div>
        )
      }
    </Load>
  );
}
