/** Editing a review: its parts at the left, one of them in the middle, and at the right what it would ask as it stands. */
import { Link, linkOptions } from '@tanstack/react-router';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { Page } from '~/app/page.tsx';
import { StageChip } from '~/app/reviews/stage-chip.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Note } from '~/parts/states/note.tsx';
import { When } from '~/parts/words/when.tsx';
import { errorMessage } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { type Preview, type Review, reviewStage } from '~/data/reviews/review.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { DatesPart } from './steps/dates-part.tsx';
import styles from './edit.module.css';
import { DutiesPart } from './steps/duties-part.tsx';
import { EndPart } from './steps/end-part.tsx';
import { LivePreview } from './preview/live-preview.tsx';
import { PartMark } from './steps/part-mark.tsx';
import { PolicyPart } from './steps/policy-part.tsx';
import { PurposePart } from './steps/purpose-part.tsx';
import { type EditPart, editParts } from './route.tsx';
import { SaveAsTemplate } from './steps/save-as-template.tsx';
import { ScopePart } from './steps/scope-part.tsx';
import { SignaturePart } from './steps/signature-part.tsx';
import { useDraft } from './use-draft.ts';
import { usePreview } from './preview/use-preview.ts';
import { ViewPart } from './steps/view-part.tsx';
import { editRoute } from './route.tsx';

const labels: Readonly<Record<EditPart, PlainTextKey>> = {
  purpose: 'scope.purpose',
  scope: 'scope.whatIsAsked',
  policy: 'scope.whoDecides',
  view: 'scope.whatReviewersSee',
  duties: 'scope.duties',
  dates: 'scope.dates',
  signature: 'signature.title',
  end: 'scope.atTheEnd',
};

/** True if a part says all that a start needs of it. */
function isDone(part: EditPart, review: Review, preview: Preview | undefined): boolean {
  switch (part) {
    case 'purpose':
      return (review.description ?? '') !== '';
    case 'scope':
      return count(preview?.items) > 0;
    case 'policy':
      return preview !== undefined && count(preview.unassignedItems) === 0;
    case 'view':
    case 'duties':
      // Nothing of them is needed.
      return true;
    case 'signature':
      return review.signatureConfig?.requireSignature !== true || (review.signatureConfig.meaningOfSignature ?? '').trim() !== '';
    case 'dates':
      return (review.completionDate ?? '') !== '';
    case 'end':
      return (review.autoCloseDecision ?? 'CLOSE_DECISION_UNSPECIFIED') !== 'CLOSE_DECISION_UNSPECIFIED';
  }
}

export function EditReviewPage() {
  const { reviewId, part } = editRoute.useParams();
  const draft = useDraft(reviewId);
  const stage = reviewStage(draft.review);
  const isDraft = stage === 'draft';
  const props = { reviewId, draft };
  const live = usePreview(reviewId, draft, isDraft);
  // The signature that is asked for is fixed from the start on.
  const isUnstarted = isDraft || stage === 'preparing' || stage === 'prepared';
  const shown = editParts.filter((one) => isDraft || (one === 'signature' ? isUnstarted : one !== 'scope' && one !== 'policy'));
  return (
    <Page
      title={draft.review.displayName || text('reviews.unnamed')}
      before={<Link to="/reviews">{text('nav.reviews')}</Link>}
      beside={
        <>
          <StageChip stage={stage} />
          <span className={styles.saved} role="status">
            {draft.error !== undefined || draft.changed !== undefined ? (
              text('scope.notSaved')
            ) : draft.isSaving ? (
              text('scope.saving')
            ) : draft.savedAt === undefined ? null : (
              <When at={draft.savedAt} prefix={text('scope.saved')} />
            )}
          </span>
        </>
      }
      actions={
        <>
          <SaveAsTemplate reviewId={reviewId} isStored={!draft.isSaving && draft.error === undefined && draft.changed === undefined} />
          <ButtonLink
            {...(isDraft
              ? linkOptions({ to: '/reviews/$reviewId/check', params: { reviewId } })
              : linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'settings' } }))}
            variant="primary"
            keys="mod+Enter"
          >
            {isDraft ? text('scope.preview') : text('scope.done')}
          </ButtonLink>
        </>
      }
      width="bare"
    >
      <div className={styles.page} data-alone={!isDraft || undefined}>
        <nav className={styles.parts} aria-label={text('scope.parts')}>
          {shown.map((one) => (
            <Link
              key={one}
              to="/reviews/$reviewId/edit/$part"
              params={{ reviewId, part: one }}
              activeProps={{ 'data-current': true, 'aria-current': 'step' }}
            >
              <PartMark isDone={isDone(one, draft.review, live.preview)} isCurrent={one === part} />
              {text(labels[one])}
            </Link>
          ))}
        </nav>
        <div className={styles.main}>
          <h2 className={styles.title}>{text(labels[part])}</h2>
          {draft.changed === undefined ? null : <ChangedMeanwhile {...draft.changed} />}
          {draft.error === undefined ? null : <Note kind="fault">{errorMessage(draft.error)}</Note>}
          {part === 'purpose' ? <PurposePart {...props} /> : null}
          {part === 'scope' && isDraft ? <ScopePart {...props} preview={live.preview} isOld={live.isOld} /> : null}
          {part === 'policy' && isDraft ? <PolicyPart {...props} /> : null}
          {part === 'view' ? <ViewPart {...props} /> : null}
          {part === 'duties' ? <DutiesPart {...props} /> : null}
          {part === 'dates' ? <DatesPart {...props} /> : null}
          {part === 'signature' && isUnstarted ? <SignaturePart {...props} /> : null}
          {part === 'end' ? <EndPart {...props} /> : null}
        </div>
        {isDraft ? (
          <aside className={styles.aside} aria-label={text('scope.livePreview')}>
            <LivePreview live={live} />
          </aside>
        ) : null}
      </div>
    </Page>
  );
}
