/** Keeps what a review is made of as a template, of which further reviews are made. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { useMay } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';

export function SaveAsTemplate({ reviewId, isStored }: { reviewId: string; isStored: boolean }) {
  const mayCreate = useMay('reviews.create');
  const navigate = useNavigate();
  const create = useAct('ReviewTemplateService.CreateFromReview', 'ReviewTemplateService.List');
  const save = () =>
    create.mutate(
      { accessReviewId: reviewId },
      {
        onSuccess: (made) => {
          toast(text('scope.templateMade'), {
            action: {
              label: text('scope.toTemplate'),
              run: () => void navigate({ to: '/templates/$id', params: { id: made.accessReviewTemplate?.id ?? '' } }),
            },
          });
        },
        onError: (error) => void toast(errorMessage(error)),
      },
    );
  return mayCreate ? (
    <Button variant="quiet" busy={create.isPending} disabledReason={isStored ? undefined : text('scope.savingFirst')} onClick={save}>
      {text('scope.saveAsTemplate')}
    </Button>
  ) : null;
}
