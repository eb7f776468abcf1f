/** What was changed of a review and is not stored yet, for as long as the page lives: whoever leaves the review and comes back finds it. */
import { useSyncExternalStore } from 'react';
import { ClientError } from '../../../../src/client/error.ts';
import { change, readChange } from '~/data/change.ts';
import { whenBack, whenSignedIn } from '~/data/connection.ts';
import { queries, type ReplyOf, signedInAs } from '~/data/query.ts';
import { createSaver, type Saver } from '~/data/save-members.ts';
import { type Review, reviewQuery } from './review.ts';

/** By person and review: what one left is neither shown to another nor sent as theirs. */
const savers = new Map<string, Saver<Review>>();

/** Returns what saves a review for the person who is signed in. */
export function reviewSaver(reviewId: string): Saver<Review> {
  const person = signedInAs();
  const key = `${person} ${reviewId}`;
  const known = savers.get(key);
  if (known !== undefined) {
    return known;
  }
  const wanted = reviewQuery(reviewId);
  const saver = createSaver<Review>({
    stored: () => queries.getQueryData<ReplyOf<'AccessReviewService.Get'>>(wanted.queryKey)?.accessReview?.accessReview ?? {},
    async send(patch, asRead) {
      if (signedInAs() !== person) {
        throw new ClientError('You were signed out.', { status: 401, code: 'UNAUTHENTICATED' });
      }
      const updateMask = Object.keys(patch).join(',');
      try {
        const request = { id: reviewId, accessReview: patch, updateMask };
        const reply = await change('AccessReviewService.Update', request, { accessReview: asRead });
        // An answer on its way is of an older state.
        await queries.cancelQueries({ queryKey: wanted.queryKey });
        queries.setQueryData(wanted.queryKey, reply);
      } catch (error) {
        if (readChange(error) !== undefined) {
          // Before it is shown who was first: what they wrote.
          await queries.fetchQuery({ ...wanted, staleTime: 0 });
        }
        throw error;
      }
    },
  });
  savers.set(key, saver);
  watchPage();
  return saver;
}

/** True if the server has all that the person who is signed in changed of a review. */
export function useIsStored(reviewId: string): boolean {
  const saver = reviewSaver(reviewId);
  return Object.keys(useSyncExternalStore(saver.listen, saver.read).unsaved).length === 0;
}

function flushAll(): void {
  for (const saver of savers.values()) {
    void saver.flush();
  }
}

const isAnyUnsaved = (): boolean => [...savers.values()].some((saver) => Object.keys(saver.read().unsaved).length > 0);

let isWatching = false;

/** Sends what waits once the server answers again, and asks before a page is closed or loaded anew that holds what the server lacks. */
function watchPage(): void {
  if (isWatching) {
    return;
  }
  isWatching = true;
  whenBack(flushAll);
  whenSignedIn(flushAll);
  window.addEventListener('beforeunload', (event) => {
    if (isAnyUnsaved()) {
      flushAll();
      event.preventDefault();
    }
  });
}
