/** One's profile, as the sources say it, and who decides in one's place. */
import { useQuery } from '@tanstack/react-query';
import { expandedAt } from '~/data/expanded.ts';
import { Facts } from '~/parts/words/facts.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { SettingsFrame } from '~/screens/settings/frame.tsx';
import { Delegate } from './delegate.tsx';
import styles from './profile.module.css';
import { profileQuery } from '~/screens/settings/route.tsx';

export function ProfilePage() {
  const who = useQuery(profileQuery);
  const user = who.data?.userView?.user;
  const manager = expandedAt(who.data?.expanded, who.data?.userView?.managersPath);
  const facts = [
    { term: text('profile.name'), value: user?.displayName },
    { term: text('profile.mail'), value: user?.email },
    { term: text('profile.jobTitle'), value: user?.jobTitle },
    { term: text('profile.department'), value: user?.department },
    { term: text('profile.manager'), value: manager?.displayName },
    { term: text('profile.employment'), value: user?.employmentType },
  ];
  return (
    <SettingsFrame title={text('settings.profile')} intro={text('profile.intro')}>
      {who.isPending ? <Skeleton rows={5} /> : null}
      {who.isError ? <Failed error={who.error} retry={() => void who.refetch()} /> : null}
      {user === undefined ? null : (
        <section className={styles.section}>
          <Facts rows={facts.map(({ term, value }) => ({ term, children: value || text('profile.notKnown') }))} />
        </section>
      )}
      <Delegate />
    </SettingsFrame>
  );
}
