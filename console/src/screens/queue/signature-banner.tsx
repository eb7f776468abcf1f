/** Says what the signature that a review asks for means for whoever decides: before the first decision, while one waits, and where they never can. */
import { useState } from 'react';
import { countingDrafts, readTotals } from '~/data/queue/state/read-state.ts';
import { Button } from '~/parts/controls/button.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Banner } from '~/parts/states/banner.tsx';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { useQueueState } from './use-queue.ts';
import type { ReviewInfo } from './use-review-info.ts';

/** The whole of a longer meaning stands in the summary. */
const longest = 160;

export function SignatureBanner({ info }: { info: ReviewInfo }) {
  const drafts = useQueueState((state) => countingDrafts(state).length);
  const { left, total } = useQueueState(readTotals);
  // Whoever has decided something knows it. It stays until then and is not taken from under their hands.
  const [isNews, setNews] = useState(drafts === 0 && left === total);
  const { providerDisplayName: provider = '', maySign, waitingId = '', waitingDecisions, waitingUntil } = info.signature ?? {};
  const { meaningOfSignature: meaning = '', stepUpProviderId = '' } = info.signatureConfig ?? {};
  if (maySign === false) {
    return <Banner kind="warn">{text('signature.cannotSign')}</Banner>;
  }
  // What was decided otherwise since cannot be signed any more: it is submitted anew.
  if (waitingId !== '' && drafts > 0) {
    return (
      <Banner
        kind="warn"
        icon="pen"
        action={
          <ButtonLink to="/signatures/$id" params={{ id: waitingId }}>
            {text('signature.goOn')}
          </ButtonLink>
        }
      >
        {text('signature.waitsInQueue', { count: Number(waitingDecisions ?? 0), date: waitingUntil ? date(waitingUntil) : '' })}
      </Banner>
    );
  }
  if (!isNews) {
    return null;
  }
  return (
    <Banner kind="info" icon="pen" action={<Button onClick={() => setNews(false)}>{text('queue.understood')}</Button>}>
      {text('signature.asksForYours', { meaning: meaning.length > longest ? `${meaning.slice(0, longest)}…` : meaning })}{' '}
      {stepUpProviderId === ''
        ? text('signature.asksBySession')
        : provider === ''
          ? text('signature.asksAgain')
          : text('signature.asksAtProvider', { provider })}
    </Banner>
  );
}
