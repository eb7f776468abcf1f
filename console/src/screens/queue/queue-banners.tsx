/** Banners for the whole queue beside that of the connection: signed out, a review that ended, a submission that did not go out. */
import { changedElsewhere, countingDrafts, readSaving } from '~/data/queue/state/read-state.ts';
import { Suspense } from 'react';
import { Banner } from '~/parts/states/banner.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { loadLaterTexts, text } from '~/text/text.ts';
import { laterPart } from './later-part.ts';
import { LeaveUnsent } from './leave-unsent.tsx';
import { useQueue, useQueueState } from './use-queue.ts';
import { useReviewInfo } from './use-review-info.ts';

const SignatureBanner = laterPart(() =>
  Promise.all([import('./signature-banner.tsx'), loadLaterTexts()]).then(([{ SignatureBanner: component }]) => component),
);

export function QueueBanners() {
  const { store, reviewId } = useQueue();
  const info = useReviewInfo(reviewId);
  const { state, requestId, unsaved, message } = useQueueState(readSaving);
  const drafts = useQueueState((all) => countingDrafts(all).length);
  const sent = useQueueState(({ submission }) => submission);
  const isKept = useQueueState(({ saving }) => saving.isKept);
  const changed = useQueueState(changedElsewhere);
  const [first] = changed;
  const retry = () => store.dispatch({ kind: 'send' });
  const sendAgain = () => store.dispatch({ kind: 'sendSubmission' });
  const dismiss = () => store.dispatch({ kind: 'dismissSubmission' });
  return (
    <>
      {state === 'fault' ? (
        <Banner kind="fault" action={<Button onClick={retry}>{text('app.tryNow')}</Button>}>
          {text(isKept ? 'queue.saveFault' : 'queue.saveFaultNotKept', { count: unsaved, id: requestId })}
        </Banner>
      ) : null}
      {state === 'signedOut' ? (
        <Banner kind="warn" icon="lock" action={<Button onClick={() => window.location.reload()}>{text('queue.signInAgain')}</Button>}>
          {text('queue.signedOut', { count: drafts })}
        </Banner>
      ) : null}
      {isKept ? null : (
        <>
          <Banner kind="warn">{text('queue.notKept')}</Banner>
          <LeaveUnsent />
        </>
      )}
      {first === undefined ? null : (
        <Banner
          kind="warn"
          action={
            <>
              <Button onClick={() => store.dispatch({ kind: 'go', id: first.taskId })}>{text('queue.showChanged')}</Button>
              <Button onClick={() => store.dispatch({ kind: 'dismissChanged' })}>{text('queue.understood')}</Button>
            </>
          }
        >
          {text('queue.changedElsewhere', { count: changed.length })}
        </Banner>
      )}
      {info?.signature === undefined ? null : (
        <Suspense fallback={null}>
          <SignatureBanner info={info} />
        </Suspense>
      )}
      {state === 'closed' ? <Banner kind="warn">{text('queue.closed', { message })}</Banner> : null}
      {sent.phase === 'left' ? (
        <Banner kind="warn" action={<Button onClick={dismiss}>{text('queue.understood')}</Button>}>
          {text('submit.left', { count: sent.count })}
        </Banner>
      ) : null}
      {sent.phase === 'changed' ? (
        <Banner kind="warn" action={<Button onClick={dismiss}>{text('queue.understood')}</Button>}>
          {text('submit.changed', { count: sent.count })}
        </Banner>
      ) : null}
      {sent.phase === 'unsure' ? (
        <Banner kind="warn" action={<Button onClick={sendAgain}>{text('submit.sendAgain')}</Button>}>
          {text('submit.unsure', { count: sent.count })}
        </Banner>
      ) : null}
      {sent.phase === 'failed' ? (
        <Banner
          kind="fault"
          action={
            <Button onClick={sent.isOutage ? sendAgain : dismiss}>{text(sent.isOutage ? 'submit.sendAgain' : 'queue.understood')}</Button>
          }
        >
          {sent.isOutage
            ? text('submit.noAnswer', { count: sent.count })
            : text('submit.refused', { message: sent.message, id: sent.requestId })}
        </Banner>
      ) : null}
    </>
  );
}
