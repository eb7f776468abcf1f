/** One person: what they may do and could do before, their accounts, what was decided, and where what is known of them comes from. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { Page } from '~/app/page.tsx';
import { personName } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { Load } from '~/parts/states/load.tsx';
import { text } from '~/text/text.ts';
import { Accounts } from './accounts.tsx';
import { Facts } from './person-facts.tsx';
import { MergedInto } from './merged-into.tsx';
import { AccessNow } from './access-now.tsx';
import { AccessOverTime } from './access-over-time.tsx';
import { PersonHead } from './person-head.tsx';
import { Decisions } from './decisions.tsx';
import { personQuery, personRoute } from './route.tsx';

const EraseDialog = lazyPart(() => import('./erase-dialog.tsx').then(({ EraseDialog: component }) => component));
const LinkDialog = lazyPart(() => import('~/app/people/link-dialog.tsx').then(({ LinkDialog: component }) => component));
const SplitDialog = lazyPart(() => import('./split-dialog.tsx').then(({ SplitDialog: component }) => component));
const MergeDialog = lazyPart(() => import('./merge-dialog.tsx').then(({ MergeDialog: component }) => component));

export function PersonPage() {
  const { person: id, tab } = personRoute.useParams();
  const mayReview = useMay('reviews.create');
  const mayErase = useMay('users.write');
  const mayLink = useMay('credentials.issue');
  const [isLinking, setLinking] = useState(false);
  const [isErasing, setErasing] = useState(false);
  const [isMerging, setMerging] = useState(false);
  const [isSplitting, setSplitting] = useState(false);
  const query = useQuery(personQuery(id));
  const person = query.data?.userView?.user;
  const isThere = person !== undefined && person.status !== 'DELETED';
  const records = useQuery({ ...read('PersonRecordService.List', { userId: id, pageSize: 100 }), enabled: mayErase && isThere });
  const { list = [] } = records.data ?? {};
  return (
    <Page
      title={person === undefined ? text('people.person') : personName(person)}
      before={<Link to="/people">{text('nav.people')}</Link>}
      width="bare"
      actions={
        <>
          {person !== undefined && (mayErase || (mayLink && isThere)) ? (
            <Menu
              label={text('people.more')}
              items={[
                ...(mayLink && isThere ? [{ label: text('roles.makeLink'), onSelect: () => setLinking(true) }] : []),
                ...(mayErase && isThere ? [{ label: text('merge.open'), onSelect: () => setMerging(true) }] : []),
                ...(mayErase && list.length > 1 ? [{ label: text('split.open'), onSelect: () => setSplitting(true) }] : []),
                ...(mayErase
                  ? [{ label: text('erasure.open'), icon: 'cross' as const, danger: true, onSelect: () => setErasing(true) }]
                  : []),
              ]}
            />
          ) : null}
          {mayReview ? (
            <ButtonLink to="/reviews/new" search={{ person: id }}>
              {text('people.review')}
            </ButtonLink>
          ) : null}
        </>
      }
      tabs={person === undefined ? undefined : <PersonHead person={person} />}
    >
      {person === undefined ? null : <MergedInto person={person} />}
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
      <Suspense>{isLinking && person !== undefined ? <LinkDialog person={person} onClose={() => setLinking(false)} /> : null}</Suspense>
      <Suspense>{isMerging && person !== undefined ? <MergeDialog person={person} onClose={() => setMerging(false)} /> : null}</Suspense>
      <Suspense>
        {isSplitting && person !== undefined ? <SplitDialog person={person} records={list} onClose={() => setSplitting(false)} /> : null}
      </Suspense>
      <Suspense>{isErasing && person !== undefined ? <EraseDialog person={person} onClose={() => setErasing(false)} /> : null}</Suspense>
    </Page>
  );
}
