/** A new legal hold, on a review or on the whole company. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { ofReviews } from '~/data/reviews/review.ts';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

/** `reviewId` is empty for the company. */
export function SetHold({ reviewId, onClose }: { reviewId: string; onClose: () => void }) {
  const form = useForm({
    values: { reason: '' },
    send: ({ reason }) => call('LegalHoldService.Set', { accessReviewId: reviewId, reason: reason.trim() }),
    stale: ['LegalHoldService.List', ...ofReviews],
    onSent: () => {
      onClose();
      toast(text('holds.isSet'));
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={text('holds.setTitle')} action={text('holds.set')}>
      <p>{text(reviewId === '' ? 'holds.onCompany' : 'holds.onReview')}</p>
      <p>{text('holds.twoLift')}</p>
      <TextArea {...form.at('reason')} label={text('holds.reason')} hint={text('holds.reasonHint')} required autoFocus />
    </FormDialog>
  );
}
