/** Outcome of my decisions: what is still there, what is gone and by which proof, and what comes back to me. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReplyOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { type Loadable, Load } from '~/parts/states/load.tsx';
import { date, relative } from '~/text/format.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from './home.module.css';

type Reply = ReplyOf<'MyOutcomeService.List'>;
type ReviewOutcome = NonNullable<Reply['list']>[number];

export function Outcomes({ query }: { query: Loadable<Reply> }) {
  // The removals of everybody are for those who look after them.
  const mayFollow = useMay('inventory.read');
  return (
    <Load query={query} isEmpty={() => false}>
      {({ list = [], certifiedUntil = [] }) =>
        list.length === 0 && certifiedUntil.length === 0 ? null : (
          <section className={styles.part} aria-labelledby="outcomes">
            <div className={styles.partHead}>
              <h2 id="outcomes">{text('home.outcomes')}</h2>
              <Link to="/my/submissions">{text('home.allSubmissions')}</Link>
            </div>
            <ul>
              {list.flatMap((review) => linesOf(review, mayFollow))}
              {certifiedUntil.map((one) => (
                <Line key={one.taskId} icon="calendar" end={relative(one.certifyUntil ?? '', 14)}>
                  <Rich
                    id="home.certifiedUntil"
                    values={{
                      date: date(one.certifyUntil ?? '', true),
                      who: one.userDisplayName || one.account || '',
                      what: one.entitlementDisplayName ?? '',
                      app: one.appDisplayName ?? '',
                    }}
                  />
                </Line>
              ))}
            </ul>
          </section>
        )
      }
    </Load>
  );
}

function linesOf(review: ReviewOutcome, mayFollow: boolean): ReactNode[] {
  const { counts, displayName = '', accessReviewId = '', latest = [], firstGoneAt, lastGoneAt, lastChangedAt } = review;
  const of = (value: string | undefined): number => Number(value ?? 0);
  const [stillThere, gone, open, held] = [of(counts?.stillThere), of(counts?.gone), of(counts?.open), of(counts?.held)];
  const there = latest.find(({ outcome }) => outcome === 'MY_REMOVAL_OUTCOME_STILL_THERE');
  const lines: ReactNode[] = [];
  const end = lastChangedAt === undefined ? '' : date(lastChangedAt, true);
  if (stillThere > 0) {
    const who =
      there === undefined
        ? displayName
        : [there.userDisplayName || there.account, there.entitlementDisplayName, there.appDisplayName].filter(Boolean).join(', ');
    lines.push(
      <Line key={`${accessReviewId} there`} icon="warning" kind="no" end={end}>
        <Rich id="home.stillThere" values={{ count: stillThere }} /> {sentence(who)} {there === undefined ? '' : sayStillThere(there)}{' '}
        {mayFollow ? (
          <Link to="/revocations" search={{ review: accessReviewId }}>
            {text('home.followUp')}
          </Link>
        ) : null}
      </Line>,
    );
  }
  if (gone > 0) {
    const isOne = firstGoneAt === undefined || lastGoneAt === undefined || date(firstGoneAt) === date(lastGoneAt);
    lines.push(
      <Line key={`${accessReviewId} gone`} icon="check" kind="ok" end={end}>
        <Rich id="home.gone" values={{ count: gone }} /> {sentence(displayName)}{' '}
        {lastGoneAt === undefined
          ? ''
          : isOne
            ? text('home.goneOn', { date: date(lastGoneAt, true) })
            : text('home.goneBetween', { first: date(firstGoneAt ?? '', true), last: date(lastGoneAt, true) })}
      </Line>,
    );
  }
  if (open > 0) {
    lines.push(
      <Line key={`${accessReviewId} open`} icon="sync" end={end}>
        <Rich id="home.open" values={{ count: open }} /> {sentence(displayName)}
      </Line>,
    );
  }
  if (held > 0) {
    lines.push(
      <Line key={`${accessReviewId} held`} icon="clock" end={end}>
        <Rich id="home.held" values={{ count: held }} /> {sentence(displayName)}
      </Line>,
    );
  }
  return lines;
}

/** Puts access that is still there in words: each moment that there is. */
function sayStillThere({ deniedAt, claimedAt, lastSeenAt }: NonNullable<ReviewOutcome['latest']>[number]): string {
  return [
    deniedAt === undefined ? '' : text('home.deniedOn', { date: date(deniedAt, true) }),
    claimedAt === undefined ? '' : text('home.claimedOn', { date: date(claimedAt, true) }),
    lastSeenAt === undefined ? '' : text('home.seenOn', { date: date(lastSeenAt, true) }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** A name at the end of a sentence; one that ends in a mark of its own, as a question does, gets no second. */
function sentence(name: string): string {
  return /[.!?…]$/.test(name) ? name : `${name}.`;
}

interface LineProps {
  readonly icon: IconName;
  readonly kind?: 'ok' | 'no';
  readonly end: string;
  readonly children: ReactNode;
}

function Line({ icon, kind, end, children }: LineProps) {
  return (
    <li className={styles.line}>
      <span className={styles.icon} data-kind={kind}>
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      <small>{end}</small>
    </li>
  );
}
