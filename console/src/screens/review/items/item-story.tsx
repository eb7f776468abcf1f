/** One item from its question to its end: the access, who was asked, what was decided by whom and why, what happened, and its removal. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Signed } from '~/app/reviews/signed.tsx';
import { RemovalState } from '~/app/removals/removal-state.tsx';
import { useNamesAt } from '~/data/names-at.ts';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { useSignatures } from '~/data/reviews/signature.ts';
import { Copy } from '~/parts/controls/copy.tsx';
import { Drawer } from '~/parts/over/drawer.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { date } from '~/text/format.ts';
import { joinNames } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import { itemOf, sayDecided } from '~/app/reviews/item.ts';
import { ItemHappenings } from '~/app/reviews/item-happenings.tsx';
import styles from './item-story.module.css';

interface ItemStoryProps {
  readonly reviewId: string;
  readonly review: Review;
  readonly id: string;
  readonly onClose: () => void;
}

export function ItemStory({ reviewId, review, id, onClose }: ItemStoryProps) {
  const query = useQuery(
    read('TaskService.Search', {
      refs: [{ id }],
      expandMask: { paths: ['app_id', 'app_user_id', 'app_entitlement_ids', 'identity_user_id'] },
    }),
  );
  const view = query.data?.list?.[0];
  const item = view === undefined ? undefined : itemOf(view, query.data?.expanded);
  const facts = (view?.task?.data ?? {}) as Readonly<Record<string, string | undefined>>;
  const nameAt = useNamesAt([...(item?.askedIds ?? []), item?.decidedById, item?.decidedIssuerId].map((one) => [one, item?.decidedAt]));
  // The first removal of an item has the item's id.
  const isDenied = item?.state === 'denied';
  const removal = useQuery({ ...read('RevocationService.Get', { id }), enabled: isDenied, retry: false }).data?.revocation;
  const signed = useSignatures(reviewId, review, { taskId: id }).list;
  const day = (value: string | undefined): string => (value ? date(value, true) : text('item.unknown'));
  return (
    <Drawer open onOpenChange={(open) => (open ? undefined : onClose())} title={text('item.story')}>
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {item === undefined ? null : (
        <div className={styles.story}>
          <h3>
            <Name>{facts['entitlementDescription'] || item.entitlement}</Name>
          </h3>
          <p className={styles.quiet}>
            <Name>{joinNames(item.app, facts['resource'], item.entitlement)}</Name>
          </p>
          <Facts
            rows={[
              {
                term: text('review.who'),
                children: item.personId ? (
                  <Link to="/people/$person" params={{ person: item.personId }}>
                    <Name>{item.person}</Name>
                  </Link>
                ) : (
                  text('review.unowned')
                ),
              },
              { term: text('item.account'), children: <Name>{item.account || facts['account']}</Name> },
              { term: text('item.granted'), children: day(facts['grantedAt']) },
              { term: text('item.used'), children: day(facts['lastUsedAt']) },
              {
                term: text('review.asked'),
                children: (
                  <Name>
                    {item.askedIds
                      .map((one) => nameAt(one, item.decidedAt))
                      .filter(Boolean)
                      .join(', ') || text('review.nobody')}
                  </Name>
                ),
              },
              { term: text('item.outcome'), children: sayDecided(item, nameAt) },
              ...(signed.length === 0
                ? []
                : [{ term: text('signature.one'), children: signed.map((one) => <Signed key={one.id} signature={one} />) }]),
              ...(item.until ? [{ term: text('item.until'), children: date(item.until) }] : []),
              ...(removal === undefined
                ? []
                : [
                    {
                      term: text('item.removal'),
                      children: (
                        <>
                          <RemovalState state={removal.state} />{' '}
                          <Link to="/revocations" search={{ one: removal.id }}>
                            {text('item.toRemoval')}
                          </Link>
                        </>
                      ),
                    },
                  ]),
              { term: text('item.id'), children: <Copy value={item.id} label={text('item.id')} /> },
            ]}
          />
          <p>
            <Link to="/evidence/$reviewId/items/$taskId" params={{ reviewId, taskId: id }}>
              {text('item.walkthrough')}
            </Link>
          </p>
          <h4>{text('item.happened')}</h4>
          <ItemHappenings id={id} />
        </div>
      )}
    </Drawer>
  );
}
