/** One app: what is in it, who holds it, how that came and who looked at it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../app/page.tsx';
import { type App, nameOf } from '../../data/inventory.ts';
import { read } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Load } from '../../parts/load.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Icon } from '../../parts/icon.tsx';
import { text } from '../../text/text.ts';
import { AppHead } from './app-head.tsx';
import { AppSide } from './app-side.tsx';
import styles from './apps.module.css';
import { Accounts } from './accounts.tsx';
import { Changes } from './changes.tsx';
import { EditApp } from './edit-app.tsx';
import { Entitlements } from './entitlements.tsx';
import { Grants } from './grants.tsx';
import { Reviews } from './reviews.tsx';
import { Syncs } from './syncs.tsx';
import type { Tab } from './tabs.ts';
import { useAppAddress } from './use-app.ts';

const bodies: Readonly<Record<Tab, (props: { app: App }) => React.ReactNode>> = {
  entitlements: Entitlements,
  accounts: Accounts,
  grants: Grants,
  changes: Changes,
  syncs: Syncs,
  reviews: Reviews,
};

export function AppPage() {
  const { appId, tab } = useAppAddress();
  const [isEditing, setEditing] = useState(false);
  const mayImport = useMay('imports.write');
  const mayWrite = useMay('inventory.write');
  const mayReview = useMay('reviews.create');
  const query = useQuery(read('AppService.Get', { id: appId }));
  const app = query.data?.app;
  const Body = bodies[tab];
  return (
    <Page
      title={app?.displayName ?? text('apps.app')}
      before={<Link to={'/apps' as string}>{text('nav.apps')}</Link>}
      width="bare"
      actions={
        <>
          {mayImport ? (
            <ButtonLink to={`/import?app=${appId}`} icon="upload" variant="quiet">
              {text('apps.import')}
            </ButtonLink>
          ) : null}
          {mayReview ? <ButtonLink to={`/reviews/new?app=${appId}`}>{text('apps.review')}</ButtonLink> : null}
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
                <Body app={loaded} />
              </div>
              <AppSide app={loaded} onEdit={mayWrite ? () => setEditing(true) : undefined} />
              <EditApp
                key={`${isEditing} ${loaded.updatedAt} ${loaded.appOwners?.map(nameOf).join()}`}
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
