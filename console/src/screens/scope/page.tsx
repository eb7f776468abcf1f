/** Editing a review: its parts at the left, one of them in the middle, and at the right what it would ask as it stands. */
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { StageChip } from '../../app/stage-chip.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Note } from '../../parts/note.tsx';
import { When } from '../../parts/when.tsx';
import { messageOf } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import { type Preview, type Review, stageOf } from '../../data/review.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import { DatesPart } from './dates-part.tsx';
import styles from './edit.module.css';
import { EndPart } from './end-part.tsx';
import { LivePreview } from './live-preview.tsx';
import { PartMark } from './part-mark.tsx';
import { PolicyPart } from './policy-part.tsx';
import { PurposePart } from './purpose-part.tsx';
import { type EditPart, editParts } from './route.tsx';
import { SaveAsTemplate } from './save-as-template.tsx';
import { ScopePart } from './scope-part.tsx';
import { useDraft } from './use-draft.ts';
import { usePreview } from './use-preview.ts';

const labels: Readonly<Record<EditPart, PlainTextKey>> = {
  purpose: 'scope.purpose',
  scope: 'scope.whatIsAsked',
  policy: 'scope.whoDecides',
  dates: 'scope.dates',
  end: 'scope.atTheEnd',
};

/** Whether a part says all that a start needs of it. */
function isDone(part: EditPart, review: Review, preview: Preview | undefined): boolean {
  switch (part) {
    case 'purpose':
      return (review.description ?? '') !== '';
    case 'scope':
      return count(preview?.items) > 0;
    case 'policy':
      return preview !== undefined && count(preview.unassignedItems) === 0;
    case 'dates':
      return (review.completionDate ?? '') !== '';
    case 'end':
      return String(review.autoCloseDecision ?? 'CLOSE_DECISION_UNSPECIFIED') !== 'CLOSE_DECISION_UNSPECIFIED';
  }
}

export function EditReviewPage() {
  const { reviewId = '', part = 'purpose' } = useParams({ strict: false }) as { reviewId?: string; part?: EditPart };
  const draft = useDraft(reviewId);
  const stage = stageOf(draft.review);
  const isDraft = stage === 'draft';
  const props = { reviewId, draft };
  const live = usePreview(reviewId, draft, isDraft);
  const shown = editParts.filter((one) => isDraft || (one !== 'scope' && one !== 'policy'));
  return (
    <Page
      title={draft.review.displayName || text('reviews.unnamed')}
      before={<Link to={'/reviews' as string}>{text('nav.reviews')}</Link>}
      beside={
        <>
          <StageChip stage={stage} />
          <span className={styles.saved} role="status">
            {draft.isSaving ? (
              text('scope.saving')
            ) : draft.error !== undefined ? (
              text('scope.notSaved')
            ) : draft.savedAt === undefined ? null : (
              <When at={draft.savedAt} prefix={text('scope.saved')} />
            )}
          </span>
        </>
      }
      actions={
        <>
          <SaveAsTemplate reviewId={reviewId} isSaving={draft.isSaving} />
          <ButtonLink to={isDraft ? `/reviews/${reviewId}/check` : `/reviews/${reviewId}/settings`} variant="primary" keys="mod+Enter">
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
              to={`/reviews/${reviewId}/edit/${one}` as string}
              activeProps={{ 'data-current': true, 'aria-current': 'step' }}
            >
              <PartMark isDone={isDone(one, draft.review, live.preview)} isCurrent={one === part} />
              {text(labels[one])}
            </Link>
          ))}
        </nav>
        <div className={styles.main}>
          <h2 className={styles.title}>{text(labels[part])}</h2>
          {draft.error === undefined ? null : <Note kind="fault">{messageOf(draft.error)}</Note>}
          {part === 'purpose' ? <PurposePart {...props} /> : null}
          {part === 'scope' && isDraft ? <ScopePart {...props} preview={live.preview} isOld={live.isOld} /> : null}
          {part === 'policy' && isDraft ? <PolicyPart {...props} /> : null}
          {part === 'dates' ? <DatesPart {...props} /> : null}
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
