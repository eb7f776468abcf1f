/** Keeps what a review is made of as a template, of which further reviews are made. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { toast } from '../../parts/toast.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { useMay } from '../../data/session.ts';
import { text } from '../../text/text.ts';
import type { PartProps } from './props.ts';

export function SaveAsTemplate({ draft: { review } }: PartProps) {
  const mayCreate = useMay('reviews.create');
  const navigate = useNavigate();
  const create = useAct('AccessReviewTemplateService.Create', 'ReviewTemplateService.List');
  // A template takes apps by entitlement lists of its own; here it gets what its first request can hold.
  const save = () =>
    create.mutate(
      {
        displayName: review.displayName ?? '',
        description: review.description ?? '',
        reviewInstructions: review.reviewInstructions ?? '',
        policyId: review.policyId ?? '',
        usePolicyOverride: review.usePolicyOverride ?? false,
        autoCloseCampaign: review.autoCloseCampaign ?? false,
        autoCloseDecision: review.autoCloseDecision ?? 'CLOSE_DECISION_UNSPECIFIED',
        autoGenerateReport: review.autoGenerateReport ?? false,
        ...(review.notificationConfig === undefined ? {} : { notificationConfig: review.notificationConfig }),
        ...(review.scopeV2 === undefined ? {} : { scope: review.scopeV2 }),
      },
      {
        onSuccess: (made) => {
          toast(text('scope.templateMade'), {
            action: {
              label: text('scope.toTemplate'),
              run: () => void navigate({ to: `/templates/${made.accessReviewTemplate?.id}` as string }),
            },
          });
        },
        onError: (error) => void toast(messageOf(error)),
      },
    );
  return mayCreate ? (
    <Button variant="quiet" busy={create.isPending} onClick={save}>
      {text('scope.saveAsTemplate')}
    </Button>
  ) : null;
}
