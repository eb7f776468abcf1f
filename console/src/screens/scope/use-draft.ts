/** A review as it is being edited: changes show at once and are stored after a short rest. "Saved" comes from the server, and of all that was changed. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import type { ChangedWays } from '~/app/forms/changed-meanwhile.tsx';
import { readChange } from '~/data/change.ts';
import { type Review, reviewQuery, type ReviewView } from '~/data/reviews/review.ts';
import { reviewSaver } from '~/data/reviews/review-saver.ts';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

export interface Draft {
  readonly view: ReviewView;
  /** As it is shown: what is stored, with what was changed since. */
  readonly review: Review;
  change(patch: Partial<Review>): void;
  /** Some of it is not stored yet, and nothing says that it cannot be. */
  readonly isSaving: boolean;
  /** Time of the last save, in this visit; undefined while the server lacks something. */
  readonly savedAt: Date | undefined;
  /** Error of what could not be stored, from the server; it stands until that is stored. */
  readonly error: unknown;
  /** Somebody else's change of what was changed here, and the ways on; undefined where there is none. */
  readonly changed: ChangedWays | undefined;
  /** Counts what was stored: what was counted from an older state is counted anew. */
  readonly version: number;
  /** Something beside the review itself was stored. */
  touch(): void;
}

export function useDraft(reviewId: string): Draft {
  const view = useSuspenseQuery(reviewQuery(reviewId)).data.accessReview ?? {};
  const saver = reviewSaver(reviewId);
  const { unsaved, isSaving, error, stale, savedAt, version } = useSyncExternalStore(saver.listen, saver.read);
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left is this review, whatever it is called by then
  useEffect(
    () => () => {
      // What waits is sent before one is gone. Where that fails the page keeps it, and says so on the page that follows.
      void saver.flush().then(() => {
        const left = saver.read();
        if (left.error !== undefined || left.stale !== undefined) {
          toast(text('scope.leftUnsaved', { name: view.accessReview?.displayName || text('reviews.unnamed') }), {
            action: {
              label: text('scope.backToIt'),
              run: () => void navigate({ to: '/reviews/$reviewId/edit/$part', params: { reviewId, part: 'purpose' } }),
            },
          });
        }
      });
    },
    [saver],
  );
  const isStored = Object.keys(unsaved).length === 0;
  const other = readChange(stale);
  return {
    view,
    review: { ...view.accessReview, ...unsaved },
    change: saver.change,
    isSaving: !isStored && error === undefined && stale === undefined,
    savedAt: isStored ? savedAt : undefined,
    error,
    changed: other && { change: other, busy: isSaving, onLoad: saver.takeTheirs, onAgain: () => void saver.putOnTop() },
    version,
    touch: saver.touch,
  };
}
