/** My reviews: what is asked, by when, and what came of it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Page } from '~/app/page.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { date, timeZone } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { AlsoWaiting } from './also-waiting.tsx';
import styles from './home.module.css';
import { useAlsoWaiting } from './use-also-waiting.ts';
import { InPlaceRow } from './in-place-row.tsx';
import { Outcomes } from './outcomes.tsx';
import { sayPace } from './pace.ts';
import { ReviewRow } from './review-row.tsx';
import { outcomesQuery, ownReviewsQuery } from './queries.ts';

export function HomePage() {
  const reviews = useInfiniteQuery(ownReviewsQuery);
  const isAlsoAsked = useAlsoWaiting().isAsked;
  const outcomes = useQuery(outcomesQuery);
  return (
    <Page
      title={text('nav.home')}
      width="column"
      actions={<small className={styles.zone}>{text('home.timesIn', { zone: timeZone() })}</small>}
    >
      <Load query={reviews} isEmpty={() => false}>
        {({ pages }) => {
          const [first] = pages;
          const all = pages.flatMap(({ list }) => list ?? []);
          const {
            waiting = '0',
            overdue = '0',
            dueToday = '0',
            dueTomorrow = '0',
            staged = '0',
            secondsPerDecision = 0,
          } = first?.totals ?? {};
          const asked = all.filter(({ counts }) => Number(counts?.total ?? 0) > 0);
          const inPlace = all.flatMap((review) => (review.inPlace ?? []).map((one) => ({ review, one })));
          // What asks somebody beside the reviews stands below: then nothing says that nothing does.
          if (all.length === 0 && isAlsoAsked) {
            return <p className={styles.headline}>{text('home.noReview')}</p>;
          }
          if (all.length === 0) {
            const last = first?.lastReview;
            return (
              <Empty icon="inbox" title={text('home.nothing')}>
                {last?.closedAt === undefined
                  ? text('home.nothingNext')
                  : text('home.lastReview', { name: last.displayName ?? '', date: date(last.closedAt) })}
              </Empty>
            );
          }
          const said = [
            Number(overdue) > 0 ? text('home.overdue', { count: Number(overdue) }) : '',
            Number(dueToday) > 0 ? text('home.dueToday', { count: Number(dueToday) }) : '',
            Number(dueTomorrow) > 0 ? text('home.dueTomorrow', { count: Number(dueTomorrow) }) : '',
            Number(staged) > 0 ? text('home.staged', { count: Number(staged) }) : '',
            sayPace(Number(waiting), Number(secondsPerDecision)),
          ].filter(Boolean);
          return (
            <>
              <p className={styles.headline}>{text('home.waiting', { count: Number(waiting) })}</p>
              {said.length === 0 ? null : <p className={styles.said}>{said.join(' ')}</p>}
              {asked.length === 0 ? null : (
                <section className={styles.part} aria-labelledby="asked">
                  <h2 id="asked">{text('home.asked')}</h2>
                  <ul>
                    {asked.map((review, index) => (
                      <ReviewRow key={review.accessReviewId} review={review} isFirst={index === 0} />
                    ))}
                  </ul>
                </section>
              )}
              <Pages query={reviews} />
              {inPlace.length === 0 ? null : (
                <section className={styles.part} aria-labelledby="in-place">
                  <h2 id="in-place">{text('home.inPlace')}</h2>
                  <ul>
                    {inPlace.map(({ review, one }) => (
                      <InPlaceRow key={`${review.accessReviewId}/${one.userId}`} review={review} one={one} />
                    ))}
                  </ul>
                </section>
              )}
            </>
          );
        }}
      </Load>
      <AlsoWaiting />
      <Outcomes query={outcomes} />
    </Page>
  );
}
