/** Those who acknowledge a review's decisions as a whole, and whether somebody did. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { Button } from '~/parts/controls/button.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { useNames } from '~/data/names.ts';
import { read } from '~/data/query.ts';
import { mayDo, ofReviews, type ReviewView } from '~/data/reviews/review.ts';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/review/settings.module.css';

export function Acknowledgement({ reviewId, view }: { reviewId: string; view: ReviewView }) {
  const [comment, setComment] = useState('');
  const giveUp = useUnsaved(comment.trim() !== '');
  const query = useQuery(read('ReviewAcknowledgementService.GetAcknowledgement', { accessReviewId: reviewId }));
  const act = useAct('ReviewActionsService.Acknowledge', ...ofReviews, 'ReviewAcknowledgementService.GetAcknowledgement');
  const navigate = useNavigate();
  const isSigned = view.accessReview?.signatureConfig?.requireSignature === true;
  const acknowledge = () =>
    act.mutate(
      { accessReviewId: reviewId, comment },
      {
        onSuccess: ({ signature }) => {
          giveUp();
          setComment('');
          return signature === undefined ? undefined : navigate({ to: '/signatures/$id', params: { id: signature.id ?? '' } });
        },
      },
    );
  const found = query.data?.acknowledgement;
  const names = useNames(found?.userIds ?? []);
  const nameAt = useNamesAt([[found?.acknowledgedById, found?.acknowledgedAt]]);
  if (found === undefined) {
    return null;
  }
  if ((found.userIds ?? []).length === 0 && !found.acknowledgedById) {
    const mayChange = view.objectPermissions?.edit === true && view.accessReview?.state !== 'ACCESS_REVIEW_STATE_CLOSED';
    return (
      <section>
        <div className={styles.head}>
          <h2>{text('review.acknowledgement')}</h2>
          {mayChange ? (
            <ButtonLink to="/reviews/$reviewId/edit/$part" params={{ reviewId, part: 'duties' }}>
              {text('review.change')}
            </ButtonLink>
          ) : null}
        </div>
        <p className={styles.quiet}>{text('review.acknowledgeNobody')}</p>
      </section>
    );
  }
  const people = (found.userIds ?? []).map((id) => names.get(id) ?? '').join(', ');
  return (
    <section>
      <h2>{text('review.acknowledgement')}</h2>
      <p>{found.required ? text('review.acknowledgeRequired', { people }) : text('review.acknowledgeMay', { people })}</p>
      {found.acknowledgedById ? (
        <Note kind={found.valid ? 'info' : 'warn'}>
          {text(found.valid ? 'review.acknowledgedBy' : 'review.acknowledgedVoid', {
            name: nameAt(found.acknowledgedById, found.acknowledgedAt),
            at: exactTime(found.acknowledgedAt ?? ''),
          })}{' '}
          {found.comment}{' '}
          {found.signatureId ? (
            <Link to="/signatures/$id" params={{ id: found.signatureId }}>
              {text('signature.one')}
            </Link>
          ) : null}
        </Note>
      ) : null}
      {mayDo(view, 'acknowledge') ? (
        <div className={styles.form}>
          <TextArea label={text('review.comment')} value={comment} onChange={setComment} />
          <Button variant="primary" busy={act.isPending} onClick={acknowledge}>
            {text(isSigned ? 'review.acknowledgeAndSign' : 'review.acknowledge')}
          </Button>
          {act.isError ? <Note kind="fault">{errorMessage(act.error)}</Note> : null}
        </div>
      ) : null}
    </section>
  );
}
