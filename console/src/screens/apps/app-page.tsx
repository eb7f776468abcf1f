/** One app: what is in it, who holds it, how that came and who looked at it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type ComponentType, Suspense, useState } from 'react';
import { Page } from '~/app/page.tsx';
import { type App, personName } from '~/data/inventory/inventory.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import { AppHead } from './app-head.tsx';
import { AppSide } from './app-side.tsx';
import styles from './apps.module.css';
import { EditApp } from './edit-app.tsx';
import { Entitlements } from './rights/entitlements.tsx';
import type { Tab } from './tabs.ts';
import { useAppAddress } from './use-app.ts';
import { appQuery } from './route.tsx';

/** The first that is looked at comes with the page, each other when it is opened. */
const bodies: Readonly<Record<Tab, ComponentType<{ app: App }>>> = {
  entitlements: Entitlements,
  accounts: lazyPage(() => import('./access/accounts.tsx'), 'Accounts'),
  grants: lazyPage(() => import('./access/grants.tsx'), 'Grants'),
  changes: lazyPage(() => import('./access/changes.tsx'), 'Changes'),
  syncs: lazyPage(() => import('./syncs.tsx'), 'Syncs'),
  reviews: lazyPage(() => import('./reviews.tsx'), 'Reviews'),
};

export function AppPage() {
  const { appId, tab } = useAppAddress();
  const [isEditing, setEditing] = useState(false);
  const mayImport = useMay('imports.write');
  const mayWrite = useMay('inventory.write');
  const mayReview = useMay('reviews.create');
  const query = useQuery(appQuery(appId));
  const app = query.data?.app;
  const Body = bodies[tab];
  return (
    <Page
      title={app?.displayName ?? text('apps.app')}
      before={<Link to="/apps">{text('nav.apps')}</Link>}
      width="bare"
      actions={
        <>
          {mayImport ? (
            <ButtonLink to="/import" search={{ app: appId }} icon="upload" variant="quiet">
              {text('apps.import')}
            </ButtonLink>
          ) : null}
          {mayReview ? (
            <ButtonLink to="/reviews/new" search={{ app: appId }}>
              {text('apps.review')}
            </ButtonLink>
          ) : null}
          {mayWrite ? (
            <Menu
              label={text('apps.more')}
              trigger={<Icon name="dots" />}
              items={[{ label: text('apps.edit'), icon: 'pen', onSelect: () => setEditing(true) }]}
            />
          ) : null}
        </>
      }
      tabs={app === undefined ? undefined : <AppHead app={app} />}
    >
      <Load query={query}>
        {({ app: loaded }) =>
          loaded === undefined ? null : (
            <div className={styles.split}>
              <div className={styles.main}>
                <Suspense fallback={<Skeleton rows={6} />}>
                  <Body app={loaded} />
                </Suspense>
              </div>
              <AppSide app={loaded} onEdit={mayWrite ? () => setEditing(true) : undefined} />
              <EditApp
                key={`${isEditing} ${loaded.updatedAt} ${loaded.appOwners?.map(personName).join()}`}
                app={loaded}
                open={isEditing}
                onOpenChange={setEditing}
              />
            </div>
          )
        }
      </Load>
    </Page>
  );
}
