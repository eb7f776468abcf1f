/**
 * Loading the sample company into the tenant, as its administrator: the calls of the API that the command line makes for a demo. It goes on
 * while other pages are looked at; after a break the same again goes on where it stopped.
 */
import type { SampleStep } from '../../../../src/samples/load.ts';
import type { SampleServer } from '../../../../src/samples/server.ts';
import { call, queries, upload } from '~/data/query.ts';
import { shareValue } from '~/parts/words/share-value.ts';

/** Load so far; without a step it has only begun. */
export interface SamplesProgress {
  readonly step?: SampleStep;
  readonly done: number;
  readonly total: number;
}

const progress = shareValue<SamplesProgress | undefined>(undefined);

/** State of loading; undefined while nothing is loaded. */
export const useSamplesProgress = progress.useValue;

/** Moments to look again, further and further apart. */
async function* pauses(): AsyncGenerator<void> {
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 1_000)) {
    yield;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function waitForPhase(accessReviewId: string): Promise<void> {
  for await (const _ of pauses()) {
    const state = (await call('ReviewActionsService.GetProgress', { accessReviewId })).progress;
    if (state?.running !== true) {
      if (state?.error) {
        throw new Error(state.error);
      }
      return;
    }
  }
}

const server: SampleServer = {
  call: (operation, request) => call(operation, request),
  upload: (operation, request, csv) => upload(operation, request, { content: new Blob([csv]), contentType: 'text/csv' }),
  pauses,
  waitForPhase,
};

/** Loads what is missing of the samples; returns the id of their review. */
export async function loadSamples(): Promise<string> {
  progress.set({ done: 0, total: 1 });
  try {
    const samples = await import('../../../../src/samples/load.ts');
    const say = (step: SampleStep, done: number, total: number): void => progress.set({ step, done, total });
    // On a real server mails would really go out, to people who are invented.
    const { review } = await samples.loadSamples(server, { sendMails: false, say });
    return review.id;
  } finally {
    progress.set(undefined);
    void queries.invalidateQueries();
  }
}
