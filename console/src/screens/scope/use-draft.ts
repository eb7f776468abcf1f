/** A review as it is being edited: changes show at once and are stored after a short rest, one call at a time. "Saved" comes from the server. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, queries } from '~/data/query.ts';
import { type Review, type ReviewView, reviewQuery } from '~/data/reviews/review.ts';

/** Time a writer rests before what they wrote is stored. */
const restMs = 700;

export interface Draft {
  readonly view: ReviewView;
  /** As it is shown: what is stored, with what was changed since. */
  readonly review: Review;
  change(patch: Partial<Review>): void;
  readonly isSaving: boolean;
  /** Time of the last save, in this visit. */
  readonly savedAt: Date | undefined;
  /** Error of the last change, from the server. */
  readonly error: unknown;
  /** Counts what was stored: what was counted from an older state is counted anew. */
  readonly version: number;
  /** Something beside the review itself was stored. */
  touch(): void;
}

export function useDraft(reviewId: string): Draft {
  const view = useSuspenseQuery(reviewQuery(reviewId)).data.accessReview ?? {};
  const [changes, setChanges] = useState<Partial<Review>>({});
  const [state, setState] = useState<{ isSaving: boolean; savedAt?: Date; error?: unknown; version: number }>({
    isSaving: false,
    version: 0,
  });
  const waiting = useRef<Partial<Review>>({});
  const isSending = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    const patch = waiting.current;
    const members = Object.keys(patch);
    if (isSending.current || members.length === 0) {
      return;
    }
    waiting.current = {};
    isSending.current = true;
    setState((old) => ({ ...old, isSaving: true }));
    try {
      const reply = await call('AccessReviewService.Update', { id: reviewId, accessReview: patch, updateMask: members.join(',') });
      queries.setQueryData(reviewQuery(reviewId).queryKey, reply);
      setChanges((old) => Object.fromEntries(Object.entries(old).filter(([member, value]) => patch[member as keyof Review] !== value)));
      setState((old) => ({ isSaving: false, savedAt: new Date(), version: old.version + 1 }));
    } catch (error) {
      setState((old) => ({ ...old, isSaving: false, error }));
    } finally {
      isSending.current = false;
    }
    // What was changed meanwhile goes next.
    await send();
  }, [reviewId]);

  useEffect(() => () => void send(), [send]);

  return {
    view,
    review: { ...view.accessReview, ...changes },
    change(patch) {
      setChanges((old) => ({ ...old, ...patch }));
      waiting.current = { ...waiting.current, ...patch };
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void send(), restMs);
    },
    isSaving: state.isSaving,
    savedAt: state.savedAt,
    error: state.error,
    version: state.version,
    touch: () => setState((old) => ({ ...old, savedAt: new Date(), version: old.version + 1 })),
  };
}
