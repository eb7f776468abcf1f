/**
 * Figure: what a decision costs the database: 800 approvals by 16 connections in a review of 3,000 items and 300 people, on Debian's PostgreSQL 15, which
 * says of each statement how long it was planned and how long it ran. Once with statistics, and once on tables that were never analyzed, as those of
 * a small company right after its first imports.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../src/client/index.ts';
import { AccessReviewService } from '../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { AppService } from '../src/gen/c1/api/app/v1/app_service_pb.js';
import { ImportService } from '../src/gen/countersign/v1/imports_pb.js';
import { IssuedCredentialService } from '../src/gen/countersign/v1/people_pb.js';
import { ReviewActionsService } from '../src/gen/countersign/v1/review_pb.js';
import { TaskService } from '../src/gen/c1/api/task/v1/task_service_pb.js';
import { hasPostgres, type PostgresServer, startPostgres } from '../test/support/postgres-server.ts';
import { emailOf, writeGrants, writePeople } from './data/company.ts';
import { decideAtOnce, type Reviewer } from './deciding.ts';
import { atMost, type Figure, type FigureResult } from './figure.ts';
import { type BenchServer, startServer } from './server.ts';

const company = { grants: 3000, accounts: 300, people: 300, entitlements: 50 };
const managers = 12;
const connections = 16;
/** Of each connection, from its first on: what each is planned once counts as well. */
const decisionsEach = 50;

/** What the database counted while decisions were made, for each of them. */
interface Cost {
  readonly statements: number;
  readonly executing: number;
  readonly planning: number;
  readonly buffers: number;
}

/** Sums up what the database has counted since it was told to begin anew. */
async function readCost(postgres: PostgresServer, decisions: number): Promise<Cost> {
  const [row] = await postgres.rows(
    'countersign',
    `SELECT sum(s.calls)::float8 AS statements, sum(s.total_exec_time) AS executing, sum(s.total_plan_time) AS planning,
       sum(s.shared_blks_hit + s.shared_blks_read)::float8 AS buffers FROM public.pg_stat_statements s WHERE s.query !~* 'pg_stat_statements'`,
    [],
  );
  const each = (name: string): number => Number(row?.[name]) / decisions;
  return { statements: each('statements'), executing: each('executing'), planning: each('planning'), buffers: each('buffers') };
}

/** Imports the company and opens a review of everything in it. */
async function openReview({ admin, folder }: BenchServer): Promise<void> {
  const [people, grants] = [join(folder, 'people.csv'), join(folder, 'grants.csv')];
  await writePeople(people, company);
  await writeGrants(grants, company);
  const content = (path: string) => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  await admin.upload(ImportService.method.importPeople, {}, { content: content(people), gzip: false });
  await admin.upload(ImportService.method.importGrants, { app: 'Company' }, { content: content(grants), gzip: false });
  const { list = [] } = await admin.call(AppService.method.list, {});
  const created = await admin.call(AccessReviewService.method.create, { displayName: 'Everything' });
  const id = created.accessReview?.accessReview?.id ?? '';
  await admin.call(AccessReviewService.method.update, { id, accessReview: { singleApp: { appId: list[0]?.id ?? '' } } });
  const untilState = async (wanted: string): Promise<void> => {
    for (;;) {
      const reply = await admin.call(AccessReviewService.method.get, { id });
      if (reply.accessReview?.accessReview?.state === `ACCESS_REVIEW_STATE_${wanted}`) {
        return;
      }
      await delay(100);
    }
  };
  await admin.call(ReviewActionsService.method.prepare, { accessReviewId: id });
  await untilState('REVIEW');
  await admin.call(ReviewActionsService.method.start, { accessReviewId: id });
  await untilState('OPEN');
}

/** The managers of the company, some of them by two connections. */
async function makeReviewers(server: BenchServer, postgres: PostgresServer): Promise<Reviewer[]> {
  const people = await postgres.rows(
    'countersign',
    'SELECT id FROM users WHERE email_key = ANY ($1) ORDER BY length(email_key), email_key',
    [Array.from({ length: managers }, (_, person) => emailOf(person))],
  );
  const reviewers: Reviewer[] = [];
  for (const [place, { id }] of people.entries()) {
    const userId = String(id);
    const { client, clientSecret } = await server.admin.call(IssuedCredentialService.method.issue, { userId, displayName: 'Reviewer' });
    const own = createClient({ url: server.url, credential: { clientId: client?.clientId ?? '', clientSecret: clientSecret ?? '' } });
    const taskIds: string[] = [];
    for await (const view of own.pages(TaskService.method.search, { assigneesInIds: [userId], taskStates: ['TASK_STATE_OPEN'] })) {
      taskIds.push(view.task?.id ?? '');
    }
    const token = await own.token();
    for (let part = 0; part < (place < connections - managers ? 2 : 1); part++) {
      reviewers.push({ token, taskIds: taskIds.slice(part * decisionsEach, (part + 1) * decisionsEach) });
    }
  }
  return reviewers;
}

/** Decides in a database of its own, with statistics or without. */
async function measure(isAnalyzed: boolean): Promise<FigureResult> {
  const settings = [
    "shared_preload_libraries = 'pg_stat_statements'",
    'pg_stat_statements.track_planning = on',
    'shared_buffers = 128MB',
    'autovacuum = off',
  ];
  const postgres = await startPostgres(settings, ['host all all 127.0.0.1/32 trust']);
  try {
    await postgres.admin('postgres', 'CREATE DATABASE countersign');
    await postgres.admin('countersign', 'CREATE EXTENSION pg_stat_statements SCHEMA public');
    const server = await startServer({ 'database-url': postgres.url('postgres', '', 'countersign') });
    try {
      await openReview(server);
      const reviewers = await makeReviewers(server, postgres);
      await postgres.admin('countersign', isAnalyzed ? 'VACUUM ANALYZE' : 'CHECKPOINT');
      await postgres.admin('countersign', 'SELECT public.pg_stat_statements_reset()');
      const { taken, perSecond } = await decideAtOnce({ server }, reviewers, decisionsEach);
      const { statements, executing, planning, buffers } = await readCost(postgres, taken.length);
      const limit = isAnalyzed ? 1.5 : 2;
      const cost = `${executing.toFixed(2)} ms run, ${planning.toFixed(2)} ms planned in ${statements.toFixed(1)} statements, ${buffers.toFixed(0)} buffers`;
      const title = `a decision ${isAnalyzed ? 'with' : 'without'} statistics (${perSecond.toFixed(0)} a second by ${connections} connections)`;
      return atMost(1, { title, ours: cost, peer: `${limit} ms`, ratio: (executing + planning) / limit }, `times ${limit} ms`);
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.close();
  }
}

/** The time of the database for a decision: at most 1.5 ms with statistics, and 2 without. */
export const measureDecidingCost: Figure = async function* () {
  if (!hasPostgres) {
    console.error('deciding-cost: left out, since the PostgreSQL 15 of Debian is not installed here.');
    return;
  }
  yield await measure(true);
  yield await measure(false);
};
