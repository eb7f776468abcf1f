/** The story of one removal: denied, asked for, said to be done, seen again, proven gone; and what can be done with it now. */
import { nameWay } from '~/app/removals/removal-proof.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { removalWord, RemovalState } from '~/app/removals/removal-state.tsx';
import { RemovalProof } from '~/app/removals/removal-proof.tsx';
import { saySending } from '~/app/removals/removal-sending.ts';
import { SyncLink } from '~/app/syncs/sync-link.tsx';
import { Drawer } from '~/parts/over/drawer.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { idsInRemoval, withNamesSince } from '~/data/inventory/removals.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { read } from '~/data/query.ts';
import { date, exactTime } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
import styles from './revocations.module.css';
import { StoryActions } from './story-actions.tsx';

export function Story({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(read('RevocationService.Get', { id }));
  const found = query.data?.revocation;
  const history = query.data?.history ?? [];
  const since = useNamesSince([...idsInRemoval(found ?? {}), ...history.flatMap((step) => [step.actorUserId, step.actorIssuerId])]);
  const removal = found && withNamesSince(found, since);
  return (
    <Drawer open onOpenChange={(open) => (open ? undefined : onClose())} title={text('revocations.story')}>
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {removal === undefined ? null : (
        <div className={styles.story}>
          <h3>{removal.entitlementDisplayName}</h3>
          <p className={styles.quiet}>{[removal.appDisplayName, removal.resourceDisplayName].filter(Boolean).join(', ')}</p>
          <RemovalState state={removal.state} />
          <p>
            <RemovalProof row={removal} />
          </p>
          {removal.sending === undefined ? null : <p className={styles.quiet}>{saySending(removal.sending)}</p>}
          <Facts
            rows={[
              { term: text('review.who'), children: since(removal.userId, removal.userDisplayName) || text('review.unowned') },
              { term: text('revocations.account'), children: removal.account },
              { term: text('review.dueDate'), children: removal.dueAt ? date(removal.dueAt) : '–' },
              ...(removal.accessReviewId
                ? [
                    {
                      term: text('reviews.review'),
                      children: (
                        <Link to="/reviews/$reviewId/$tab" params={{ reviewId: removal.accessReviewId, tab: 'removals' }}>
                          {removal.accessReviewDisplayName || text('revocations.toReview')}
                        </Link>
                      ),
                    },
                  ]
                : []),
              { term: text('revocations.reason'), children: removal.reason || text('revocations.noReason') },
              ...(removal.reviewerDisplayName
                ? [
                    {
                      term: text('revocations.reviewer'),
                      children: nameBy(removal.reviewerDisplayName, removal.reviewerIssuerDisplayName),
                    },
                  ]
                : []),
            ]}
          />
          {(removal.residualAccess ?? []).length === 0 ? null : (
            <Note kind="warn">
              {text('revocations.residual', {
                ways: (removal.residualAccess ?? []).map(nameWay).join(', '),
              })}
            </Note>
          )}
          <StoryActions removal={removal} />
          <ol className={styles.history}>
            {history.map((step) => (
              <li key={`${step.at} ${step.state}`}>
                <strong>{removalWord(step.state)}</strong>
                <span>
                  {exactTime(step.at ?? '')}
                  {step.actorUserId ? (
                    <>
                      {' · '}
                      <Name>
                        {nameBy(since(step.actorUserId, step.actorDisplayName), since(step.actorIssuerId, step.actorIssuerDisplayName))}
                      </Name>
                    </>
                  ) : null}
                  {step.syncId ? (
                    <>
                      {' · '}
                      <SyncLink sync={step} />
                    </>
                  ) : null}
                </span>
                {step.note ? <p>{step.note}</p> : null}
              </li>
            ))}
          </ol>
        </div>
      )}
    </Drawer>
  );
}
