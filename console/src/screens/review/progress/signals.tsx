/** Points to look at: the pace, items that ask nobody, how somebody decides, and what is waited for. */
import { useQuery } from '@tanstack/react-query';
import { useWays } from '~/app/reviews/reach.ts';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { Markdown } from '~/parts/words/markdown.tsx';
import { saySeconds } from '~/app/reviews/say-seconds.ts';
import { count } from '~/data/count.ts';
import { read, type ReplyOf } from '~/data/query.ts';
import type { Progress, Review } from '~/data/reviews/review.ts';
import { percent } from '~/text/format.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from './progress.module.css';

/** Rounds to whole decisions; less than one a day is not none. */
const roundPace = (perDay: number): number => (perDay < 1 ? perDay : Math.round(perDay));

type Figures = NonNullable<ReplyOf<'ReviewerFigureService.List'>['list']>[number];

function Signal({ icon, children }: { icon: IconName; children: React.ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}

/** Text of a flag of somebody's figures. */
function FlagText({ flag, figures }: { flag: NonNullable<Figures['flags']>[number]; figures: Figures }) {
  const name = figures.displayName || figures.email || '';
  switch (flag) {
    case 'REVIEWER_FLAG_RUBBER_STAMP':
      return (
        <Rich
          id="review.flagFast"
          values={{ name, seconds: saySeconds(count(figures.secondsPerDecision)), run: count(figures.longestRun) }}
        />
      );
    case 'REVIEWER_FLAG_BULK':
      return <Rich id="review.flagBulk" values={{ name, share: percent(count(figures.bulkShare), 1) }} />;
    case 'REVIEWER_FLAG_LATE':
      return <Rich id="review.flagLate" values={{ name, share: percent(count(figures.lastHourShare), 1) }} />;
    case 'REVIEWER_FLAG_AGAINST_ADVICE':
    case 'REVIEWER_FLAG_UNSPECIFIED':
      return <Rich id="review.flagAdvice" values={{ name, count: count(figures.againstAdvice) }} />;
  }
}

export function Signals({ reviewId, progress, review }: { reviewId: string; progress: Progress; review: Review }) {
  const figures = useQuery(read('ReviewerFigureService.List', { accessReviewId: reviewId, pageSize: 100 }));
  const ways = useWays();
  const pace = progress.pace ?? {};
  const left = count(progress.counts?.undecided);
  const isOpen = review.state === 'ACCESS_REVIEW_STATE_OPEN';
  const flagged = (figures.data?.list ?? []).flatMap((one) => (one.flags ?? []).map((flag) => ({ one, flag })));
  return (
    <ul className={styles.signals}>
      {isOpen && count(pace.overdue) > 0 ? (
        <Signal icon="clock">
          <Rich id="review.pastDue" values={{ count: count(pace.overdue) }} />
        </Signal>
      ) : null}
      {isOpen && count(pace.neededPerDay) > 0 ? (
        <Signal icon="clock">
          <Rich
            id="review.pace"
            values={{ needed: Math.ceil(count(pace.neededPerDay)), now: roundPace(count(pace.decisionsPerDay)), left }}
          />
        </Signal>
      ) : null}
      {isOpen && count(pace.unassigned) > 0 ? (
        <Signal icon="warning">
          <Rich id="review.unassigned" values={{ count: count(pace.unassigned) }} />
        </Signal>
      ) : null}
      {flagged.slice(0, 3).map(({ one, flag }) => (
        <Signal key={`${one.userId} ${flag}`} icon="eye">
          <FlagText flag={flag} figures={one} />
        </Signal>
      ))}
      {isOpen ? (
        <Signal icon="bell">
          {ways.isKnown && !ways.mailLeaves
            ? text('review.noMailLeaves')
            : review.notificationConfig?.sendReminders
              ? text('review.reminders')
              : text('review.noReminders')}
        </Signal>
      ) : null}
      {isOpen && ways.isKnown && ways.mailLeaves && review.notificationConfig?.sendKickoff !== true ? (
        <Signal icon="warning">{text('review.notTold')}</Signal>
      ) : null}
      {isOpen && ways.isKnown && !ways.signsIn ? (
        <Signal icon="warning">
          <Rich id={review.signatureConfig?.requireSignature === true ? 'review.noneSigns' : 'review.noneSignsIn'} />
        </Signal>
      ) : null}
      {review.campaignInsights?.markdown ? (
        <Signal icon="file">
          <Markdown source={review.campaignInsights.markdown} />
        </Signal>
      ) : null}
    </ul>
  );
}
