/** What I may do and could do before: for everybody, about themselves. */
import { useSearch } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { usePersonGrants } from '../../data/person-grants.ts';
import { count } from '../../data/inventory.ts';
import { useSession } from '../../data/session.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { text } from '../../text/text.ts';
import { AccessNow } from './access-now.tsx';
import { AccessOverTime } from './access-over-time.tsx';
import styles from './people.module.css';

export function MyAccessPage() {
  const { view } = useSearch({ strict: false }) as { view?: 'time' };
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
              { to: '/my/access', search: {}, label: text('people.tab.now'), current: view === undefined },
              { to: '/my/access', search: { view: 'time' }, label: text('people.tab.time'), current: view === 'time' },
            ]}
          />
        </>
      }
    >
      {view === 'time' ? <AccessOverTime userId={userId} /> : <AccessNow userId={userId} />}
    </Page>
  );
}
