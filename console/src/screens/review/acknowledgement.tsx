/** Who acknowledges the decisions of a review as a whole, and whether somebody did. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { useNames } from '../../data/names.ts';
import { read } from '../../data/query.ts';
import { mayDo, ofReviews, type ReviewView } from '../../data/review.ts';
import { exactTime } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './settings.module.css';

export function Acknowledgement({ reviewId, view }: { reviewId: string; view: ReviewView }) {
  const [comment, setComment] = useState('');
  const query = useQuery(read('ReviewAcknowledgementService.GetAcknowledgement', { accessReviewId: reviewId }));
  const act = useAct('ReviewActionsService.Acknowledge', ...ofReviews, 'ReviewAcknowledgementService.GetAcknowledgement');
  const found = query.data?.acknowledgement;
  const names = useNames([...(found?.userIds ?? []), found?.acknowledgedById]);
  if (found === undefined || ((found.userIds ?? []).length === 0 && !found.acknowledgedById)) {
    return null;
  }
  const people = (found.userIds ?? []).map((id) => names.get(id) ?? '').join(', ');
  return (
    <section>
      <h2>{text('review.acknowledgement')}</h2>
      <p>{found.required ? text('review.acknowledgeRequired', { people }) : text('review.acknowledgeMay', { people })}</p>
      {found.acknowledgedById ? (
        <Note kind={found.valid ? 'info' : 'warn'}>
          {text(found.valid ? 'review.acknowledgedBy' : 'review.acknowledgedVoid', {
            name: names.get(found.acknowledgedById) ?? '',
            at: exactTime(found.acknowledgedAt ?? ''),
          })}{' '}
          {found.comment}
        </Note>
      ) : null}
      {mayDo(view, 'acknowledge') ? (
        <div className={styles.form}>
          <TextArea label={text('review.comment')} value={comment} onChange={setComment} />
          <Button variant="primary" busy={act.isPending} onClick={() => act.mutate({ accessReviewId: reviewId, comment })}>
            {text('review.acknowledge')}
          </Button>
          {act.isError ? <Note kind="fault">{messageOf(act.error)}</Note> : null}
        </div>
      ) : null}
    </section>
  );
}
