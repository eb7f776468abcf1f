/**
 * The company in a running server, brought as far as a figure needs it: imported, prepared, started, reported. Each step is done once, at the
 * first figure that asks for it, and measured while it is done.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { AccessReviewReportService } from '../../src/gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import { AccessReviewActionsService } from '../../src/gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { ReviewActionsService } from '../../src/gen/countersign/v1/review_pb.js';
import { type CompanySize, sizeOf, writeGrants, writePeople } from './company.ts';
import { type BenchServer, startServer } from '../server.ts';

/** Cost of doing a step. */
export interface Measure {
  readonly seconds: number;
  /** Most memory of the server's process meanwhile above what it held before any work, in MB. */
  readonly extraMemory: number;
}

/** The company in its server. */
export interface World {
  readonly server: BenchServer;
  readonly size: CompanySize;
  /** Memory of the idle server before any work, in MB. */
  readonly idleMemory: number;
  appId(): Promise<string>;
  reviewId(): Promise<string>;
  /** Makes a draft of everything in an app, and returns its id. */
  makeReview(appId: string): Promise<string>;
  /** Makes a review of everything in an app, and prepares it to the state REVIEW. */
  prepare(appId: string): Promise<void>;
  /** Prepares a draft to the state REVIEW. */
  prepareReview(accessReviewId: string): Promise<void>;
  /** Waits until a review is in this state, such as CLOSED. */
  untilState(accessReviewId: string, state: string): Promise<void>;
  /** POST of the file of grants, from its first byte to the reply. */
  imported(): Promise<Measure>;
  /** From POST of action/prepare to the state REVIEW. */
  prepared(): Promise<Measure>;
  started(): Promise<Measure>;
  /** From POST of the report to its last byte written. */
  reported(): Promise<Measure>;
  stop(): Promise<void>;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Reads a body to its end and forgets it. */
async function discard(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  while (reader !== undefined && !(await reader.read()).done);
}

/** Does the work at the first call and gives every caller its result. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Starts a server and knows how to bring the company of this size into it. */
export async function openWorld(grants: number): Promise<World> {
  const server = await startServer();
  const { admin } = server;
  const size = sizeOf(grants);
  // A few requests first, so that what is loaded at first use counts as idle.
  for (let n = 0; n < 20; n++) {
    await admin.call(AccessReviewService.method.list, {});
  }
  await pause(1000);
  const idleMemory = await server.memory();

  async function measure(work: () => Promise<void>): Promise<Measure> {
    const begun = performance.now();
    const { peak } = await server.peakMemory(work);
    return { seconds: (performance.now() - begun) / 1000, extraMemory: peak - idleMemory };
  }

  const content = (path: string) => Readable.toWeb(createReadStream(path, { highWaterMark: 262_144 })) as ReadableStream<Uint8Array>;

  const imported = once(async () => {
    const [people, grantsFile] = [join(server.folder, 'people.csv'), join(server.folder, 'grants.csv')];
    await writePeople(people, size);
    await writeGrants(grantsFile, size);
    await admin.upload(ImportService.method.importPeople, {}, { content: content(people), gzip: false });
    return measure(async () => {
      const reply = await admin.upload(
        ImportService.method.importGrants,
        { app: 'Company' },
        { content: content(grantsFile), gzip: false },
      );
      if (Number(reply.import?.added) !== size.grants) {
        throw new Error(`not everything was imported: ${JSON.stringify(reply).slice(0, 300)}`);
      }
    });
  });

  const appId = once(async () => {
    await imported();
    const { list = [] } = await admin.call(AppService.method.list, {});
    return list[0]?.id ?? '';
  });

  async function makeReview(app: string): Promise<string> {
    const created = await admin.call(AccessReviewService.method.create, { displayName: 'Everything' });
    const id = created.accessReview?.accessReview?.id ?? '';
    await admin.call(AccessReviewService.method.update, { id, accessReview: { displayName: 'Everything', singleApp: { appId: app } } });
    return id;
  }

  const reviewId = once(async () => makeReview(await appId()));

  async function untilState(id: string, state: string): Promise<void> {
    for (;;) {
      const reply = await admin.call(AccessReviewService.method.get, { id });
      const now = reply.accessReview?.accessReview?.state ?? '';
      if (now === `ACCESS_REVIEW_STATE_${state}`) {
        return;
      }
      if (now === 'ACCESS_REVIEW_STATE_DRAFT') {
        throw new Error(
          `the prepare failed: ${JSON.stringify(await admin.call(ReviewActionsService.method.getProgress, { accessReviewId: id }))}`,
        );
      }
      await pause(100);
    }
  }

  async function prepareReview(accessReviewId: string): Promise<void> {
    await admin.call(ReviewActionsService.method.prepare, { accessReviewId });
    await untilState(accessReviewId, 'REVIEW');
  }

  const prepared = once(async () => {
    const id = await reviewId();
    return measure(() => prepareReview(id));
  });

  const started = once(async () => {
    await prepared();
    const accessReviewId = await reviewId();
    return measure(async () => {
      await admin.call(ReviewActionsService.method.start, { accessReviewId });
      await untilState(accessReviewId, 'OPEN');
    });
  });

  const reported = once(async () => {
    await started();
    const accessReviewId = await reviewId();
    return measure(async () => {
      await admin.call(AccessReviewActionsService.method.generateReport, { accessReviewId, format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV' });
      for (;;) {
        const { list = [] } = await admin.call(AccessReviewReportService.method.list, { accessReviewId });
        const state = list[0]?.state;
        if (state === 'REPORT_STATE_OK') {
          return discard(await admin.download(list[0]?.downloadUrl ?? ''));
        }
        if (state === 'REPORT_STATE_ERROR') {
          throw new Error(`the report failed: ${JSON.stringify(list[0])}`);
        }
        await pause(100);
      }
    });
  });

  const prepare = async (app: string): Promise<void> => prepareReview(await makeReview(app));

  return {
    server,
    size,
    idleMemory,
    appId,
    reviewId,
    makeReview,
    prepare,
    prepareReview,
    untilState,
    imported,
    prepared,
    started,
    reported,
    stop: () => server.stop(),
  };
}
