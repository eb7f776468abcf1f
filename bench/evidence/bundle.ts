/**
 * Figures of evidence: every item of a review decided, and the memory of the whole process that writes its bundle, which is started anew, so that what
 * the decisions left in the heap is not counted. Then the memory and the speed of the process that verifies it.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { EvidenceService } from '../../src/gen/countersign/v1/evidence_pb.js';
import { ReviewActionsService, ReviewSubmissionService } from '../../src/gen/countersign/v1/review_pb.js';
import { containedFile } from '../../test/support/bundle.ts';
import type { World } from '../data/world.ts';
import { atLeast, atMost, type Figure, type FigureResult } from '../figure.ts';
import { watchMemory } from '../server.ts';

const maxMegabytes = 200;
const minMegabytesPerSecond = 50;
const perSubmission = 1_000;
const bytesInMegabyte = 1_048_576;

/** Decides every item by submissions of 1,000, every tenth of them to deny, and closes the review. */
async function decideAll(world: World, accessReviewId: string): Promise<void> {
  const { admin } = world.server;
  const superuser = await world.server.superuser();
  const { rows } = await superuser.query<{ id: string }>('SELECT id FROM tasks WHERE review_id = $1 ORDER BY id', [accessReviewId]);
  await superuser.end();
  for (let from = 0; from < rows.length; from += perSubmission) {
    const decisions = rows
      .slice(from, from + perSubmission)
      .map(({ id }, at) =>
        at % 10 === 0
          ? { taskId: id, decision: 'REVIEW_DECISION_DENY' as const, comment: 'Left the team.' }
          : { taskId: id, decision: 'REVIEW_DECISION_CERTIFY' as const, comment: '' },
      );
    await admin.call(ReviewSubmissionService.method.submit, { accessReviewId, decisions });
  }
  await admin.call(ReviewActionsService.method.close, { accessReviewId, decision: 'CLOSE_DECISION_SKIP' });
  await world.untilState(accessReviewId, 'CLOSED');
}

/** Starts a review of everything, which other figures do not close. */
async function startReview(world: World): Promise<string> {
  const { admin } = world.server;
  const accessReviewId = await world.makeReview(await world.appId());
  await world.prepareReview(accessReviewId);
  await admin.call(ReviewActionsService.method.start, { accessReviewId });
  await world.untilState(accessReviewId, 'OPEN');
  return accessReviewId;
}

/** Has the bundle made and returns its address. */
async function makeBundle(world: World, accessReviewId: string): Promise<string> {
  const { admin } = world.server;
  await admin.call(EvidenceService.method.generate, { accessReviewId });
  for (;;) {
    const { list = [] } = await admin.call(EvidenceService.method.list, { accessReviewId });
    const { state, error, downloadUrl = '' } = list[0] ?? {};
    if (state === 'EVIDENCE_BUNDLE_STATE_OK') {
      return downloadUrl;
    }
    if (state === 'EVIDENCE_BUNDLE_STATE_ERROR') {
      throw new Error(`the bundle failed: ${error}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Verifies a bundle in a process of its own: how long it took, and the most memory it held. */
async function verify(path: string): Promise<{ seconds: number; peak: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/cli/main.ts'), 'verify', path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { result: code, peak } = await watchMemory(child.pid ?? 0, () => ended);
  if (code !== 0 && code !== 3) {
    throw new Error(`the bundle does not hold: ${code}`);
  }
  return { seconds: (performance.now() - begun) / 1000, peak };
}

/** At most 200 MB of memory for the whole process that writes, and for the one that verifies; 50 MB/s of what is in the file, unpacked. */
export const measureBundle: Figure = async (open) => {
  const world = await open();
  const accessReviewId = await startReview(world);
  await decideAll(world, accessReviewId);
  await world.server.restart();
  const idle = await world.server.memory();
  const begun = performance.now();
  const { result: address, peak } = await world.server.peakMemory(() => makeBundle(world, accessReviewId));
  const seconds = (performance.now() - begun) / 1000;
  const path = join(world.server.folder, 'review.evidence.zip');
  const { body } = await world.server.admin.download(address);
  await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(path));
  const packed = (await stat(path)).size / bytesInMegabyte;
  const { files } = JSON.parse(containedFile(path, 'manifest.json').toString()) as { files: { bytes: number }[] };
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / bytesInMegabyte;
  const verified = await verify(path);
  const decisions = world.size.grants.toLocaleString('en');
  const memory = (title: string, held: number): FigureResult =>
    atMost(
      1,
      { title, ours: `${held.toFixed(0)} MB`, peer: `${maxMegabytes} MB in all`, ratio: held / maxMegabytes },
      'of the limit, the whole process',
    );
  const speed = megabytes / verified.seconds;
  return [
    memory(
      `memory while writing a bundle of ${decisions} decisions (${megabytes.toFixed(0)} MB, packed ${packed.toFixed(0)}, in ${seconds.toFixed(0)} s; ${idle.toFixed(0)} MB idle)`,
      peak,
    ),
    memory('memory while verifying it', verified.peak),
    atLeast(
      1,
      {
        title: `verifying it (${verified.seconds.toFixed(1)} s, with the start of the program)`,
        ours: `${speed.toFixed(0)} MB/s`,
        peer: `${minMegabytesPerSecond} MB/s`,
        ratio: speed / minMegabytesPerSecond,
        // The start of the program is most of it where the bundle is small.
        reach: 'FULL_SIZE',
      },
      'of the limit',
    ),
  ];
};
