/** One item from the row it came from to the file that proves it gone, on a page that can be printed. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { ItemHappenings } from '~/app/reviews/item-happenings.tsx';
import { count } from '~/data/count.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime, number } from '~/text/format.ts';
import { joinNames } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import { LogPart } from './log-part.tsx';
import { RemovalPart } from './removal-part.tsx';
import { walkthroughQuery, walkthroughRoute } from './route.tsx';
import { SourcePart } from './source-part.tsx';
import styles from './walkthrough.module.css';

export function WalkthroughPage() {
  const { reviewId, taskId } = walkthroughRoute.useParams();
  const query = useQuery(walkthroughQuery(reviewId, taskId));
  const item = query.data;
  const asked = item?.askedUserIds ?? [];
  const { snapshot = {}, grant } = item ?? {};
  const nameAt = useNamesAt([
    [grant?.appearedByUserId, grant?.appearedAt],
    [grant?.endedByUserId, grant?.endedAt],
    ...asked.map((id) => [id, item?.endedAt] as const),
  ]);
  const access = joinNames(item?.appDisplayName, item?.resource, item?.entitlement);
  return (
    <Page
      title={item === undefined ? text('walkthrough.title') : text('walkthrough.titled', { number: count(item.numericId) })}
      before={
        <Link to="/evidence/$reviewId" params={{ reviewId }}>
          {item?.accessReviewDisplayName || text('nav.evidence')}
        </Link>
      }
      actions={
        <Button icon="file" onClick={() => window.print()}>
          {text('walkthrough.print')}
        </Button>
      }
      width="column"
    >
      {query.isPending ? <Skeleton rows={10} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {item === undefined ? null : (
        <div className={styles.page}>
          <header>
            <h2>
              <Name>{text('walkthrough.whoWhat', { who: item.person || item.account || '', what: item.entitlement ?? '' })}</Name>
            </h2>
            <p className={styles.quiet}>
              <Name>{access}</Name>
            </p>
          </header>
          <ol className={styles.steps}>
            <SourcePart item={item} nameAt={nameAt} />
            <li>
              <h3>{text('walkthrough.snapshot')}</h3>
              <p className={styles.quiet}>{text('walkthrough.snapshotWhat')}</p>
              <Facts
                rows={[
                  { term: text('walkthrough.takenAt'), children: snapshot.takenAt ? exactTime(snapshot.takenAt) : undefined },
                  { term: text('walkthrough.revision'), children: number(count(snapshot.revision)) },
                  { term: text('walkthrough.account'), children: <Name>{item.account}</Name> },
                  { term: text('walkthrough.person'), children: <Name>{item.person || text('review.unowned')}</Name> },
                  ...(snapshot.email ? [{ term: text('walkthrough.email'), children: <Name>{snapshot.email}</Name> }] : []),
                  ...(snapshot.department ? [{ term: text('walkthrough.department'), children: <Name>{snapshot.department}</Name> }] : []),
                  ...(snapshot.jobTitle ? [{ term: text('walkthrough.job'), children: <Name>{snapshot.jobTitle}</Name> }] : []),
                  ...(snapshot.managerEmail ? [{ term: text('walkthrough.manager'), children: <Name>{snapshot.managerEmail}</Name> }] : []),
                  { term: text('evidence.inputHash'), children: <code>{snapshot.inputHash}</code> },
                  { term: text('evidence.itemsHash'), children: <code>{snapshot.itemsHash}</code> },
                  {
                    term: text('item.id'),
                    children: (
                      <>
                        <code>{taskId}</code> <Copy value={taskId} label={text('item.id')} />
                      </>
                    ),
                  },
                ]}
              />
            </li>
            <li>
              <h3>{text('walkthrough.decisions')}</h3>
              <Facts
                rows={[
                  {
                    term: text('review.asked'),
                    children: (
                      <Name>
                        {asked
                          .map((id) => nameAt(id, item.endedAt))
                          .filter(Boolean)
                          .join(', ') || text('review.nobody')}
                      </Name>
                    ),
                  },
                ]}
              />
              <ItemHappenings id={taskId} />
            </li>
            <RemovalPart item={item} nameAt={nameAt} />
            <LogPart item={item} />
          </ol>
        </div>
      )}
    </Page>
  );
}
