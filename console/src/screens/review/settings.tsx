/** What a review was made with, and what still may change of it. */
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { read } from '../../data/query.ts';
import { date, exactTime } from '../../text/format.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import { Acknowledgement } from './acknowledgement.tsx';
import type { TabProps } from './props.ts';
import styles from './settings.module.css';
import { SecondReview } from './second-review.tsx';
import { RollForward } from './roll-forward.tsx';

const closing: Readonly<Record<string, PlainTextKey>> = {
  CLOSE_DECISION_REVOKED: 'review.closeRevoke',
  CLOSE_DECISION_NO_ACTION: 'review.closeNothing',
};

export function SettingsTab({ reviewId, view }: TabProps) {
  const review = view.accessReview ?? {};
  const owners = useQuery(read('ReviewOwnerService.ListOwners', { accessReviewId: reviewId }));
  const policy = useQuery({ ...read('PolicyService.Get', { id: review.policyId ?? '' }), enabled: (review.policyId ?? '') !== '' });
  const people = (owners.data?.list ?? []).map(({ owner }) => owner?.displayName || owner?.email || '');
  return (
    <div className={styles.page}>
      <section>
        <div className={styles.head}>
          <h2>{text('review.made')}</h2>
          {view.objectPermissions?.edit ? <ButtonLink to={`/reviews/${reviewId}/edit/purpose`}>{text('review.change')}</ButtonLink> : null}
        </div>
        <Facts
          rows={[
            { term: text('review.purpose'), children: review.description || '–' },
            { term: text('review.instructions'), children: review.reviewInstructions || '–' },
            { term: text('review.owners'), children: people.join(', ') || '–' },
            { term: text('review.policy'), children: policy.data?.policy?.displayName || text('review.policyOfApps') },
            { term: text('review.frozen'), children: review.connectorSourcesFrozenAt ? exactTime(review.connectorSourcesFrozenAt) : '–' },
            { term: text('review.started'), children: review.startedAt ? exactTime(review.startedAt) : '–' },
            { term: text('review.dueDate'), children: review.completionDate ? date(review.completionDate) : text('review.noDue') },
            {
              term: text('review.atTheEnd'),
              children: `${review.autoCloseCampaign ? text('review.closesItself') : text('review.closedManually')} ${text(
                closing[String(review.autoCloseDecision)] ?? 'review.closeSkip',
              )}`,
            },
            { term: text('review.id'), children: <Copy value={reviewId} label={text('review.id')} /> },
          ]}
        />
      </section>
      <Acknowledgement reviewId={reviewId} view={view} />
      <SecondReview reviewId={reviewId} mayManage={view.objectPermissions?.edit === true} />
      <RollForward reviewId={reviewId} />
    </div>
  );
}
