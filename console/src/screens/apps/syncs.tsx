/** The files that an app was delivered with: what each changed, what was odd, and why one was refused. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { SyncList } from '~/app/syncs/sync-list.tsx';
import { SyncDrawer } from '~/app/syncs/sync-drawer.tsx';
import type { App } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { text } from '~/text/text.ts';
import styles from './apps.module.css';
import { useAppAddress } from './use-app.ts';

export function Syncs({ app }: { app: App }) {
  const { search, change } = useAppAddress();
  const mayImport = useMay('imports.write');
  const query = useInfiniteQuery(readPages('ImportService.List', { appId: app.id ?? '', pageSize: 30 }));
  return (
    <Load query={query}>
      {(data) => {
        const rows = pageRows(data).map((view) => view.import ?? {});
        return rows.length === 0 ? (
          <Empty
            icon="sync"
            title={text('apps.noSyncs')}
            action={
              mayImport ? (
                <ButtonLink to="/import" search={{ app: app.id }} icon="upload" variant="primary">
                  {text('apps.import')}
                </ButtonLink>
              ) : undefined
            }
          >
            {text('apps.noneNext')}
          </Empty>
        ) : (
          <div className={styles.pad}>
            <SyncList syncs={rows} onOpen={(id) => change({ sync: id })} />
            <Pages query={query} />
            {search.sync === undefined ? null : <SyncDrawer id={search.sync} onClose={() => change({ sync: undefined })} />}
          </div>
        );
      }}
    </Load>
  );
}
