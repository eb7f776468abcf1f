/** Faults of the inventory, and for each the one next step. */
import { linkOptions } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { useMay } from '~/data/session/session.ts';
import { Tabs } from '~/parts/layout/tabs.tsx';
import { text } from '~/text/text.ts';
import { AccountLists } from './account-lists.tsx';
import { Disputed } from './disputed.tsx';
import { Leavers } from './leavers.tsx';
import { LookAlikes } from './look-alikes.tsx';
import { NoDescription } from './no-description.tsx';
import { Unmanaged } from './unmanaged.tsx';
import styles from './quality.module.css';
import { Stale } from './stale.tsx';
import { qualityRoute } from './route.tsx';
import { tabs } from './tabs.ts';
import { useCounts } from './use-counts.ts';

export function QualityPage() {
  const { tab } = qualityRoute.useParams();
  const counts = useCounts();
  const mayReadRecords = useMay('settings.read');
  const shown = tabs.filter((one) => one !== 'disputed' || mayReadRecords);
  return (
    <Page
      title={text('nav.quality')}
      width="bare"
      tabs={
        <Tabs
          label={text('nav.quality')}
          items={shown.map((one) => ({
            link: linkOptions({ to: '/quality/$tab', params: { tab: one } }),
            label: text(`quality.tab.${one}`),
            count: counts[one],
          }))}
        />
      }
    >
      <p className={styles.what}>{text(`quality.what.${tab}`)}</p>
      {tab === 'leavers' ? (
        <Leavers />
      ) : tab === 'nobody' || tab === 'ambiguous' ? (
        <AccountLists key={tab} isAmbiguous={tab === 'ambiguous'} />
      ) : tab === 'disputed' ? (
        <Disputed />
      ) : tab === 'look-alikes' ? (
        <LookAlikes />
      ) : tab === 'no-manager' ? (
        <Unmanaged />
      ) : tab === 'no-description' ? (
        <NoDescription />
      ) : (
        <Stale />
      )}
    </Page>
  );
}
