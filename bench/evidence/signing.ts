/**
 * Figures of signatures: submissions of 1,000 decisions to a review that asks for signatures, from the request to what was decided, beside the same
 * submissions to a review of the same grants that asks for none. The key of a credential signs, and a real time stamp server stamps. A step-up is not
 * among it: that is the time of a person.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import {
  ReviewActionsService,
  type ReviewSubmissionDecisionJson,
  ReviewSubmissionService,
} from '../../src/gen/countersign/v1/review_pb.js';
import { SignatureService } from '../../src/gen/countersign/v1/signatures_pb.js';
import { startTimeStampServer } from '../../test/support/time-stamp-server.ts';
import { sizeOf, writeGrants, writePeople } from '../data/company.ts';
import { atMost, type Figure, median } from '../figure.ts';
import { type BenchServer, startServer } from '../server.ts';

const perSubmission = 1_000;
const [rounds, shortRounds, warmUp] = [16, 6, 2] as const;
const mostTimes = 1.15;

/** Imports the people of a small company and its grants, and returns the app of these. */
async function importCompany({ admin, folder }: BenchServer, grants: number): Promise<string> {
  const [people, grantsFile] = [join(folder, 'people.csv'), join(folder, 'grants.csv')];
  const size = sizeOf(grants);
  await writePeople(people, size);
  await writeGrants(grantsFile, size);
  const content = (path: string) => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  await admin.upload(ImportService.method.importPeople, {}, { content: content(people), gzip: false });
  const { import: done } = await admin.upload(
    ImportService.method.importGrants,
    { app: 'Company' },
    { content: content(grantsFile), gzip: false },
  );
  return done?.appId ?? '';
}

/** An open review, and the decisions of each submission to it. */
interface Submissions {
  readonly accessReviewId: string;
  readonly batches: readonly ReviewSubmissionDecisionJson[][];
}

/** Opens a review of everything in an app, and says how its items are decided: every tenth is denied. */
async function openReview(server: BenchServer, appId: string, terms: object): Promise<Submissions> {
  const { admin } = server;
  const { accessReview } = await admin.call(AccessReviewService.method.create, { displayName: 'Everything' });
  const id = accessReview?.accessReview?.id ?? '';
  await admin.call(AccessReviewService.method.update, { id, accessReview: { displayName: 'Everything', singleApp: { appId }, ...terms } });
  await admin.call(ReviewActionsService.method.prepare, { accessReviewId: id });
  await untilState(server, id, 'REVIEW');
  await admin.call(ReviewActionsService.method.start, { accessReviewId: id });
  await untilState(server, id, 'OPEN');
  const superuser = await server.superuser();
  const { rows } = await superuser.query<{ id: string }>('SELECT id FROM tasks WHERE review_id = $1 ORDER BY id', [id]);
  await superuser.end();
  const decisions: ReviewSubmissionDecisionJson[] = rows.map(({ id: taskId }, at) =>
    at % 10 === 0
      ? { taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Left the team.' }
      : { taskId, decision: 'REVIEW_DECISION_CERTIFY', comment: '' },
  );
  const batches: ReviewSubmissionDecisionJson[][] = [];
  while (decisions.length >= perSubmission) {
    batches.push(decisions.splice(0, perSubmission));
  }
  return { accessReviewId: id, batches };
}

async function untilState({ admin }: BenchServer, id: string, state: string): Promise<void> {
  while ((await admin.call(AccessReviewService.method.get, { id })).accessReview?.accessReview?.state !== `ACCESS_REVIEW_STATE_${state}`) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Milliseconds of a submission, and of signing it where the review asks for that. */
async function submit({ admin }: BenchServer, { accessReviewId, batches }: Submissions, round: number): Promise<number> {
  const decisions = [...(batches[round] ?? [])];
  const begun = performance.now();
  let { submission, signature } = await admin.call(ReviewSubmissionService.method.submit, { accessReviewId, decisions });
  if (signature !== undefined) {
    const credentialSignature = await admin.sign(signature.record ?? '');
    ({ submission } = await admin.call(SignatureService.method.sign, { id: signature.id ?? '', credentialSignature }));
  }
  const taken = performance.now() - begun;
  if (Number(submission?.certified) + Number(submission?.denied) !== perSubmission) {
    throw new Error('not everything was decided');
  }
  return taken;
}

/** Both within 1.15 of the submissions without a signature. */
export const measureSigning: Figure = async (_open, { isShort }) => {
  const times = isShort ? shortRounds : rounds;
  const tsa = await startTimeStampServer('ec');
  const server = await startServer({ 'tsa-roots': tsa.rootFile, 'allow-outbound': new URL(tsa.url).host });
  try {
    const appId = await importCompany(server, (times + warmUp) * perSubmission);
    const asked = {
      requireSignature: true,
      meaningOfSignature: 'I have reviewed this access and take responsibility for these decisions.',
    };
    const bare = await openReview(server, appId, {});
    const keyed = await openReview(server, appId, { signatureConfig: asked });
    const stamped = await openReview(server, appId, { signatureConfig: { ...asked, tspUrl: `${tsa.url}/stamp` } });
    const taken = { bare: [] as number[], keyed: [] as number[], stamped: [] as number[] };
    // In turn, so that whatever grows meanwhile falls on all alike.
    for (let round = 0; round < times + warmUp; round++) {
      for (const [kind, submissions] of Object.entries({ bare, keyed, stamped })) {
        const milliseconds = await submit(server, submissions, round);
        if (round >= warmUp) {
          taken[kind as keyof typeof taken].push(milliseconds);
        }
      }
    }
    const peer = median(taken.bare);
    const judge = (title: string, ours: number) =>
      atMost(
        mostTimes,
        {
          title: `a submission of 1,000 decisions, ${title}`,
          ours: `${ours.toFixed(0)} ms`,
          peer: `${peer.toFixed(0)} ms unsigned`,
          ratio: ours / peer,
        },
        'times without a signature',
      );
    return [judge('signed by the key of a credential', median(taken.keyed)), judge('and stamped', median(taken.stamped))];
  } finally {
    await server.stop();
    await tsa.close();
  }
};
