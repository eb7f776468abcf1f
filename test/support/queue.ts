/**
 * A queue of jobs on a database of its own, for the tests of a file: it is empty before each test, and what runs is drained after it. The
 * table `chunks` is where kinds of jobs write down what they did.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Db } from '../../src/db/types.ts';
import type { JobRequest } from '../../src/jobs/enqueue.ts';
import { createRunner, enqueueJob, findJob, type Job, type JobKind, type Runner } from '../../src/jobs/index.ts';
import { noReactions, silentLogger } from '../../src/context.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

/** Tools for tests of the queue. */
export interface Queue {
  /** The database behind it, and SQL of no module; both from the first test on. */
  readonly test: TestDatabase;
  readonly db: Db;
  start(kinds: Record<string, JobKind>, options?: { concurrency?: number; pollMs?: number }): Runner;
  /** Adds a job of the tenant `one` and returns its id. */
  enqueue(kind: string, subjectId?: string, more?: Partial<JobRequest>): Promise<string>;
  read(id: string, tenantId?: string): Promise<Job>;
  untilEnded(id: string, tenantId?: string): Promise<Job>;
  /** The numbers it wrote into `chunks`. */
  chunksOf(id: string): Promise<number[]>;
}

/** Registers the set-up of the file it is called in. */
export function useQueue(): Queue {
  let test: TestDatabase;
  let db: Db;
  let runners: Runner[];
  beforeAll(async () => {
    test = await openTestDatabase({ poolSize: 8 });
    db = test.database.system();
    await test.define('CREATE TABLE chunks (job text NOT NULL, number int NOT NULL)');
  });
  beforeEach(async () => {
    runners = [];
    await db.run('DELETE FROM chunks; DELETE FROM jobs');
  });
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.drain()));
  });
  afterAll(() => test.close());

  const read = async (id: string, tenantId = 'one'): Promise<Job> => (await findJob(db, tenantId, id)) as Job;
  return {
    get test() {
      return test;
    },
    get db() {
      return db;
    },
    start(kinds, options = {}) {
      const handlers = new Map(Object.entries(kinds));
      const runner = createRunner({
        database: test.database,
        handlers,
        log: silentLogger,
        react: noReactions,
        pollMs: 50,
        clock: () => new Date(),
        ...options,
      });
      runners.push(runner);
      runner.start();
      return runner;
    },
    enqueue(kind, subjectId = 'subject', more = {}) {
      return db.transaction((tx) => enqueueJob(tx, { tenantId: 'one', kind, subjectId, ...more }, new Date()));
    },
    read,
    untilEnded(id, tenantId = 'one') {
      return vi.waitFor(
        async () => {
          const job = await read(id, tenantId);
          expect(job.state).not.toBe('WAITING');
          return job;
        },
        { timeout: 60_000, interval: 20 },
      );
    },
    async chunksOf(id) {
      const rows = await db.rows<{ number: number }>('SELECT number FROM chunks WHERE job = $1 ORDER BY number', [id]);
      return rows.map((row) => row.number);
    },
  };
}
