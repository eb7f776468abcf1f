/** Signing a submission: it is prepared, and whoever signs is sent to the provider that proves who they are. Until they signed, all stays a draft. */
import { useSend } from '~/data/act.ts';
import { useNavigate } from '@tanstack/react-router';
import { leaveTo } from '~/data/leave-to.ts';
import { forget } from '~/data/query.ts';
import { draftsToSign, prepareSignature, sign } from '~/data/queue/prepare-signature.ts';
import { readResults } from '~/data/queue/review-drafts.ts';
import { useQueue } from '~/screens/queue/use-queue.ts';

/** The way to sign what counts now. `onRefused` is called where the server takes none of it; the queue then says why. */
export function useSigning(onRefused: () => void) {
  const { store, reviewId } = useQueue();
  const navigate = useNavigate();
  return useSend({
    mutationFn: async () => {
      const prepared = await prepareSignature(store, reviewId, crypto.randomUUID());
      const { id = '', redirectUrl = '' } = prepared.signature ?? {};
      if (id === '') {
        store.dispatch({ kind: 'submitted', results: readResults(prepared) });
        onRefused();
      } else if (redirectUrl !== '') {
        await leaveTo(redirectUrl);
        // Back without having signed: the queue says that it waits.
        await forget('MyReviewService.List');
      } else {
        const sent = draftsToSign(store);
        const results = readResults(await sign({ id, accessReviewId: reviewId }, ''));
        store.dispatch({ kind: 'settled', results, sent, version: '', now: Date.now() });
        await navigate({ to: '/signatures/$id', params: { id } });
      }
    },
  });
}
