/** My access now and before: for everybody, about themselves. */
import { linkOptions } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { usePersonGrants } from '~/data/inventory/person-grants.ts';
import { count } from '~/data/inventory/inventory.ts';
import { useSession } from '~/data/session/session.ts';
import { Tabs } from '~/parts/layout/tabs.tsx';
import { text } from '~/text/text.ts';
import { AccessNow } from './access-now.tsx';
import { AccessOverTime } from './access-over-time.tsx';
import styles from './people.module.css';
import { ownAccessRoute } from './route.tsx';

export function MyAccessPage() {
  const { view } = ownAccessRoute.useSearch();
  const userId = useSession()?.userId ?? '';
  const { totals } = usePersonGrants(userId, view === 'time');
  return (
    <Page
      title={text('nav.access')}
      width="bare"
      tabs={
        <>
          {totals === undefined ? null : (
            <div className={styles.head}>
              <h2>{text('people.youCan', { count: count(totals.current), apps: count(totals.apps) })}</h2>
            </div>
          )}
          <Tabs
            label={text('people.parts')}
            items={[
              { link: linkOptions({ to: '/my/access', search: {} }), label: text('people.tab.now'), current: view === undefined },
              {
                link: linkOptions({ to: '/my/access', search: { view: 'time' } }),
                label: text('people.tab.time'),
                current: view === 'time',
              },
            ]}
          />
        </>
      }
    >
      {view === 'time' ? <AccessOverTime userId={userId} /> : <AccessNow userId={userId} />}
    </Page>
  );
}
