/** What concerns the whole queue: no connection, signed out, a review that ended, a submission that did not go out. */
import { OfflineBanner } from '../../app/offline-banner.tsx';
import type { Submission } from '../../data/submission.ts';
import { Banner } from '../../parts/banner.tsx';
import { Button } from '../../parts/button.tsx';
import { Rich } from '../../text/rich.tsx';
import { text } from '../../text/text.ts';
import type { QueueModel } from './model.ts';

export function QueueBanners({ model, submission }: { model: QueueModel; submission: Submission }) {
  const { state, retryAt, requestId, unsaved, message } = model.box.saving;
  const { state: sent } = submission;
  const retry = () => void model.box.flush();
  return (
    <>
      <OfflineBanner waiting={state === 'device' ? { nextTry: retryAt, retry } : undefined}>
        <Rich id="queue.offline" />
      </OfflineBanner>
      {state === 'fault' ? (
        <Banner kind="fault" action={<Button onClick={retry}>{text('app.tryNow')}</Button>}>
          {text('queue.saveFault', { count: unsaved, id: requestId })}
        </Banner>
      ) : null}
      {state === 'signedOut' ? (
        <Banner kind="warn" icon="lock" action={<Button onClick={() => window.location.reload()}>{text('queue.signInAgain')}</Button>}>
          {text('queue.signedOut', { count: model.totals().drafts })}
        </Banner>
      ) : null}
      {state === 'closed' ? <Banner kind="warn">{text('queue.closed', { message })}</Banner> : null}
      {sent.phase === 'left' ? (
        <Banner kind="warn" action={<Button onClick={() => submission.dismiss()}>{text('queue.understood')}</Button>}>
          {text('submit.left', { count: sent.count })}
        </Banner>
      ) : null}
      {sent.phase === 'unsure' ? (
        <Banner kind="warn" action={<Button onClick={() => void submission.send()}>{text('submit.sendAgain')}</Button>}>
          {text('submit.unsure', { count: sent.count })}
        </Banner>
      ) : null}
      {sent.phase === 'failed' ? (
        <Banner
          kind="fault"
          action={
            <Button onClick={() => (sent.isOutage ? void submission.send() : submission.dismiss())}>
              {text(sent.isOutage ? 'submit.sendAgain' : 'queue.understood')}
            </Button>
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
