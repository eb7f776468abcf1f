/** One person: what they may do and could do before, their accounts, what was decided, and where what is known of them comes from. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { nameOf } from '../../data/inventory.ts';
import { read } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Load } from '../../parts/load.tsx';
import { text } from '../../text/text.ts';
import { Accounts } from './accounts.tsx';
import { Facts } from './person-facts.tsx';
import { AccessNow } from './access-now.tsx';
import { AccessOverTime } from './access-over-time.tsx';
import { PersonHead } from './person-head.tsx';
import { Decisions } from './decisions.tsx';
import type { Tab } from './tabs.ts';

export function PersonPage() {
  const { person: id, tab } = useParams({ strict: false }) as { person: string; tab: Tab };
  const mayReview = useMay('reviews.create');
  const query = useQuery(read('UserService.Get', { id }));
  const person = query.data?.userView?.user;
  return (
    <Page
      title={person === undefined ? text('people.person') : nameOf(person)}
      before={<Link to={'/people' as string}>{text('nav.people')}</Link>}
      width="bare"
      actions={mayReview ? <ButtonLink to={`/reviews/new?person=${id}`}>{text('people.review')}</ButtonLink> : undefined}
      tabs={person === undefined ? undefined : <PersonHead person={person} />}
    >
      <Load query={query}>
        {({ userView }) =>
          tab === 'time' ? (
            <AccessOverTime userId={id} />
          ) : tab === 'now' ? (
            <AccessNow userId={id} />
          ) : tab === 'accounts' ? (
            <Accounts userId={id} />
          ) : tab === 'reviews' ? (
            <Decisions userId={id} />
          ) : (
            <Facts person={userView?.user ?? {}} />
          )
        }
      </Load>
    </Page>
  );
}
