/** One review that asks me: how far I am, why I am asked, and by when. */
import type { ReplyOf } from '~/data/query.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Ring } from '~/parts/drawings/ring.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { clock, daysUntil, weekday } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './home.module.css';

export type MyReview = NonNullable<ReplyOf<'MyReviewService.List'>['list']>[number];

type Reason = NonNullable<MyReview['reasons']>[number]['reason'];

const reasons: ByValue<Reason, PlainTextKey> = {
  ASKED_REASON_MANAGER: 'home.manager',
  ASKED_REASON_APP_OWNERS: 'home.appOwners',
  ASKED_REASON_ENTITLEMENT_OWNERS: 'home.owner',
  ASKED_REASON_RESOURCE_OWNERS: 'home.owner',
  ASKED_REASON_USERS: 'home.named',
  ASKED_REASON_GROUP: 'home.named',
  ASKED_REASON_EXPRESSION: 'home.named',
  ASKED_REASON_SELF: 'home.self',
  ASKED_REASON_FALLBACK_GROUPS: 'home.fallback',
  ASKED_REASON_FALLBACK_USERS: 'home.fallback',
  ASKED_REASON_FALLBACK_APP_OWNERS: 'home.fallback',
  ASKED_REASON_REVIEW_OWNERS: 'home.fallback',
  ASKED_REASON_ADMINISTRATORS: 'home.fallback',
  ASKED_REASON_REASSIGNED: 'home.passedOn',
  ASKED_REASON_HANDED_OVER: 'home.passedOn',
  ASKED_REASON_ESCALATED: 'home.passedOn',
};

/** Explains why one is asked. */
function whyOf({ reasons: found = [], appDisplayName }: MyReview): string {
  if (found.length > 1) {
    return text('home.several');
  }
  const reason = found[0]?.reason ?? '';
  if (reason === 'ASKED_REASON_APP_OWNERS' && appDisplayName) {
    return text('home.appOwner', { app: appDisplayName });
  }
  return text(reasons[reason] ?? 'home.fallback');
}

export function ReviewRow({ review, isFirst }: { review: MyReview; isFirst: boolean }) {
  const { counts, accessReviewId = '', displayName = '', owners = [] } = review;
  const total = Number(counts?.total ?? 0);
  const todo = Number(counts?.todo ?? 0);
  const staged = Number(counts?.staged ?? 0);
  const decided = total - todo;
  const owner = owners[0]?.displayName ?? '';
  const action = text(todo === 0 && staged > 0 ? 'home.submitNow' : decided === 0 ? 'home.begin' : 'home.continue');
  const said = [
    whyOf(review),
    staged > 0 ? text('home.savedOf', { count: staged }) : owner === '' ? '' : text('home.askedBy', { name: owner }),
  ];
  return (
    <li className={styles.review}>
      <Ring value={decided} max={total} label={text('home.decidedOf', { decided, total })} />
      <div className={styles.what}>
        <h3>{displayName}</h3>
        <p>{said.filter(Boolean).join(' ')}</p>
      </div>
      <div className={styles.figures}>
        <span>{text('home.left', { count: todo })}</span>
        <small>{decided === 0 ? text('home.noneDecided', { total }) : text('home.decidedOf', { decided, total })}</small>
      </div>
      <Due at={review.dueAt} isOverdue={review.isOverdue === true} />
      <div className={styles.go}>
        <ButtonLink to="/r/$review" params={{ review: accessReviewId }} variant={isFirst ? 'primary' : 'plain'}>
          <span aria-hidden="true">{action}</span>
          <span className={styles.sr}>{text('home.beginOf', { action, name: displayName })}</span>
        </ButtonLink>
      </div>
    </li>
  );
}

function Due({ at, isOverdue }: { at: string | undefined; isOverdue: boolean }) {
  if (at === undefined) {
    return (
      <div className={styles.figures}>
        <small>{text('home.noDue')}</small>
      </div>
    );
  }
  const days = daysUntil(at);
  const words = isOverdue
    ? days < 0
      ? text('home.overdueBy', { days: -days })
      : text('home.overdueNow')
    : days <= 0
      ? text('home.today')
      : days === 1
        ? text('home.tomorrow')
        : text('home.inDays', { days });
  return (
    <div className={styles.figures} data-due={isOverdue ? 'over' : days <= 1 ? 'soon' : undefined}>
      <span>{words}</span>
      <small>{days <= 1 ? `${weekday(at)}, ${clock(at)}` : weekday(at)}</small>
    </div>
  );
}
