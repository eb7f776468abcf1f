/** Settings of a review, and what still may change of it. */
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { chosenColumns, isShown, type ShownColumn, shownColumns } from '~/data/queue/columns.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { read } from '~/data/query.ts';
import { closeNames, viewNames } from '~/data/reviews/choices.ts';
import { date, exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import type { TabProps } from './props.ts';
import styles from './settings.module.css';
import { useSignatureFacts } from './signature-facts.ts';

export function SettingsTab({ reviewId, view }: TabProps) {
  const review = view.accessReview ?? {};
  const signatures = useSignatureFacts(review);
  const owners = useQuery(read('ReviewOwnerService.ListOwners', { accessReviewId: reviewId }));
  const policy = useQuery({ ...read('PolicyService.Get', { id: review.policyId ?? '' }), enabled: (review.policyId ?? '') !== '' });
  const since = useNamesSince((owners.data?.list ?? []).map(({ owner }) => owner?.userId));
  const people = (owners.data?.list ?? []).map(({ owner }) => since(owner?.userId, owner?.displayName || owner?.email));
  return (
    <div className={styles.page}>
      <section>
        <div className={styles.head}>
          <h2>{text('review.made')}</h2>
          {view.objectPermissions?.edit ? (
            <ButtonLink to="/reviews/$reviewId/edit/$part" params={{ reviewId, part: 'purpose' }}>
              {text('review.change')}
            </ButtonLink>
          ) : null}
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
                closeNames[review.autoCloseDecision ?? ''] ?? 'review.closeSkip',
              )}`,
            },
            { term: text('review.opensBy'), children: text(viewNames[review.defaultView ?? ''] ?? 'scope.viewUsual') },
            {
              term: text('scope.columns'),
              children:
                chosenColumns(review)
                  .map(({ builtin, appUserAttributeKey }) =>
                    isShown(String(builtin)) ? text(shownColumns[String(builtin) as ShownColumn]) : (appUserAttributeKey ?? ''),
                  )
                  .filter(Boolean)
                  .join(', ') || text('scope.viewUsual'),
            },
            {
              term: text('scope.attributes'),
              children: (review.reviewerAttributeConfig?.bindings ?? []).map(({ attributeKey }) => attributeKey).join(', ') || '–',
            },
            {
              term: text('scope.accuracy'),
              children: text(review.accuracyIssueAction === 'ACCURACY_ISSUE_ACTION_WAIT' ? 'scope.accuracyWait' : 'scope.accuracyGo'),
            },
            ...signatures,
            { term: text('review.id'), children: <Copy value={reviewId} label={text('review.id')} /> },
          ]}
        />
      </section>
    </div>
  );
}
