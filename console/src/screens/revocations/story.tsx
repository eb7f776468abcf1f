/** The story of one removal: denied, asked for, said to be done, seen again, proven gone; and what can be done with it now. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { removalWord, RemovalState } from '../../app/removal-state.tsx';
import { RemovalProof } from '../../app/removal-proof.tsx';
import { SyncLink } from '../../app/sync-link.tsx';
import { Drawer } from '../../parts/drawer.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Facts } from '../../parts/facts.tsx';
import { linkTo } from '../../parts/link-to.ts';
import { Name } from '../../parts/name.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useNames } from '../../data/names.ts';
import { read } from '../../data/query.ts';
import { date, exactTime } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './revocations.module.css';
import { StoryActions } from './story-actions.tsx';

export function Story({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(read('RevocationService.Get', { id }));
  const removal = query.data?.revocation;
  const history = query.data?.history ?? [];
  const names = useNames(history.map(({ actorUserId }) => actorUserId));
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
          <Facts
            rows={[
              { term: text('review.who'), children: removal.userDisplayName || text('review.unowned') },
              { term: text('revocations.account'), children: removal.account },
              { term: text('review.dueDate'), children: removal.dueAt ? date(removal.dueAt) : '–' },
              ...(removal.accessReviewId
                ? [
                    {
                      term: text('reviews.review'),
                      children: <Link {...linkTo(`/reviews/${removal.accessReviewId}/removals`)}>{text('revocations.toReview')}</Link>,
                    },
                  ]
                : [{ term: text('revocations.reason'), children: removal.description }]),
            ]}
          />
          {(removal.residualAccess ?? []).length === 0 ? null : (
            <Note kind="warn">
              {text('revocations.residual', {
                ways: (removal.residualAccess ?? []).map((way) => way.entitlementDisplayName || way.account).join(', '),
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
                      <Name>{names.get(step.actorUserId)}</Name>
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
