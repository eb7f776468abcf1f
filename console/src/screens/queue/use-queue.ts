/** The queue of a review for the page that shows it: made when the page opens, ended when it is left. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Looking, makeLooking } from '../../data/looking.ts';
import { watchChanges } from '../../data/queue-changes.ts';
import { QueueRows } from '../../data/queue-rows.ts';
import { makeDraftBox } from '../../data/review-drafts.ts';
import type { Session } from '../../data/session.ts';
import { Submission } from '../../data/submission.ts';
import { text } from '../../text/text.ts';
import { type QueueAddress, viewOf } from './address.ts';
import { fetchRest } from './fetch-rest.ts';
import { QueueModel } from './model.ts';

export interface Queue {
  readonly model: QueueModel;
  readonly submission: Submission;
  readonly looking: Looking;
}

/** Undefined until it is made. */
export function useQueue(session: Session | undefined, reviewId: string, address: QueueAddress): Queue | undefined {
  const [queue, setQueue] = useState<Queue>();
  const [tenantId, userId] = [session?.tenantId, session?.userId];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is where it begins; what changes of it later goes to the model
  useEffect(() => {
    if (tenantId === undefined || userId === undefined) {
      return undefined;
    }
    const of = { tenantId, userId, reviewId };
    const box = makeDraftBox(of);
    const model = new QueueModel(new QueueRows(reviewId), box, userId);
    const submission = new Submission(of, box);
    const looking = makeLooking(of);
    looking.open();
    const stopHearing = submission.subscribe(() => {
      if (submission.state.phase === 'done') {
        looking.reset();
      }
    });
    setQueue({ model, submission, looking });
    let stop = (): void => undefined;
    let isLeft = false;
    void model.open(viewOf(address), address.task ?? '').then(() => {
      if (!isLeft) {
        stop = watchChanges(reviewId, model, () => text('queue.yoursNotRecorded'));
        void submission.open();
        fetchRest();
      }
    });
    return () => {
      isLeft = true;
      stop();
      stopHearing();
      looking.close();
      submission.close();
      model.close();
    };
  }, [tenantId, userId, reviewId]);
  return queue;
}

/** Renders again after every change of the model. */
export function useModel(model: QueueModel): QueueModel {
  useSyncExternalStore(model.subscribe, () => model.version);
  return model;
}

/** The state of the submission. */
export function useSubmission(submission: Submission): Submission {
  useSyncExternalStore(submission.subscribe, () => submission.state);
  return submission;
}
