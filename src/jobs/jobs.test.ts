/** The queue and its runner on a real database: once, in order, through failures and kills. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { countKind } from '../../test/support/jobs-process.ts';
import { runProcess } from '../../test/support/run-process.ts';
import { openDatabase } from '../db/open.ts';
import type { Db } from '../db/types.ts';
import { AppError } from '../errors.ts';
import { silentLogger } from '../scope.ts';
import {
  cancelJob,
  countJobs,
  createRunner,
  enqueueJob,
  enqueueJobBy,
  findJob,
  findLatestJob,
  type Job,
  type JobKind,
  type Runner,
} from './index.ts';
import type { JobRequest } from './enqueue.ts';
import { pauseAfter } from './run-chunk.ts';
import { removeEndedJobs } from './store.ts';

let test: TestDatabase;
let db: Db;
let runners: Runner[];
beforeAll(async () => {
  test = await openTestDatabase({ poolSize: 8 });
  db = test.database.system();
  await db.run('CREATE TABLE chunks (job text NOT NULL, number int NOT NULL)');
});
beforeEach(async () => {
  runners = [];
  await db.run('TRUNCATE chunks, jobs');
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.drain()));
});
afterAll(() => test.close());

function start(kinds: Record<string, JobKind>, options: { concurrency?: number; pollMs?: number } = {}): Runner {
  const handlers = new Map(Object.entries(kinds));
  const runner = createRunner({
    database: test.database,
    handlers,
    log: silentLogger,
    pollMs: 50,
    clock: () => new Date(),
    ...options,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

function enqueue(kind: string, subjectId = 'subject', more: Partial<JobRequest> = {}): Promise<string> {
  return db.transaction((tx) => enqueueJob(tx, { tenantId: 'one', kind, subjectId, ...more }, new Date()));
}

async function read(id: string, tenantId = 'one'): Promise<Job> {
  return (await findJob(db, tenantId, id)) as Job;
}

async function untilEnded(id: string, tenantId = 'one'): Promise<Job> {
  return vi.waitFor(
    async () => {
      const job = await read(id, tenantId);
      expect(job.state).not.toBe('WAITING');
      return job;
    },
    { timeout: 20_000, interval: 20 },
  );
}

async function chunksOf(id: string): Promise<number[]> {
  const rows = await db.rows<{ number: number }>('SELECT number FROM chunks WHERE job = $1 ORDER BY number', [id]);
  return rows.map((row) => row.number);
}

/** A kind that records each attempt as a chunk, then throws what it is given. */
function failing(thrown: () => unknown, more: Partial<JobKind> = {}): JobKind {
  return {
    async handler(scope, job) {
      await scope.db.run('INSERT INTO chunks (job, number) VALUES ($1, 1)', [job.id]);
      throw thrown();
    },
    ...more,
  };
}

const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);

describe('enqueueJob', () => {
  it('adds nothing where the transaction does not commit', async () => {
    const failed = db.transaction(async (tx) => {
      await enqueueJob(tx, { tenantId: 'one', kind: 'k', subjectId: 's' }, new Date());
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await countJobs(db, new Date())).toEqual({ waiting: 0, late: 0, failed: 0 });
  });

  it('answers with the one that waits already, per tenant, kind and subject', async () => {
    const id = await enqueue('k');
    expect(await enqueue('k')).toBe(id);
    const others = await Promise.all([enqueue('k', 'other'), enqueue('other'), enqueue('k', 'subject', { tenantId: 'two' })]);
    expect(new Set([id, ...others]).size).toBe(4);
    expect(await Promise.all(Array.from({ length: 5 }, () => enqueue('many')))).toEqual(
      Array.from({ length: 5 }, () => expect.any(String)),
    );
    expect(await countJobs(db, new Date(Date.now() - 60_000))).toEqual({ waiting: 5, late: 0, failed: 0 });
  });

  it('counts as late when nobody does it, not while it sleeps', async () => {
    await enqueue('k');
    await enqueue('sleeper', 'subject', { runAt: new Date(Date.now() + 60_000) });
    const inAMinute = new Date(Date.now() + 30_000);
    expect(await countJobs(db, inAMinute)).toEqual({ waiting: 2, late: 1, failed: 0 });
    await db.run("UPDATE jobs SET attempts = 1 WHERE kind = 'sleeper'");
    expect(await countJobs(db, inAMinute)).toMatchObject({ late: 2 });
  });

  it('is found by its own tenant only', async () => {
    const id = await enqueue('k', 'subject', { cursor: { at: 'start' } });
    expect(await findJob(db, 'one', id)).toMatchObject({ id, state: 'WAITING', cursor: { at: 'start' }, done: 0, total: 0, attempts: 0 });
    expect(await findJob(db, 'two', id)).toBeUndefined();
    expect(await findLatestJob(db, 'one', 'k', 'subject')).toMatchObject({ id });
    expect(await findLatestJob(db, 'two', 'k', 'subject')).toBeUndefined();
  });
});

describe('a job', () => {
  it('is done chunk by chunk, and its progress can be read meanwhile', async () => {
    const id = await enqueue('count');
    start({ count: countKind });
    await vi.waitFor(async () =>
      expect(await read(id)).toMatchObject({ state: 'WAITING', total: 20, cursor: { next: expect.any(Number) } }),
    );
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE', done: 20, total: 20, error: '' });
    expect(await chunksOf(id)).toEqual(oneToTwenty);
    // Another one may follow now.
    expect(await enqueue('count')).not.toBe(id);
  });

  it('acts as its tenant, for the system, at the time of the clock', async () => {
    const seen: unknown[] = [];
    const kind: JobKind = {
      async handler(scope) {
        await scope.db.run("INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'job', 1)", [scope.tenantId]);
        seen.push(await scope.db.rows('SELECT tenant_id FROM tenant_counters', []), scope.actor.kind, scope.now);
        return 'finished';
      },
    };
    const ids = [await enqueue('k'), await enqueue('k', 'subject', { tenantId: 'two' })];
    start({ k: kind }, { concurrency: 1 });
    await untilEnded(ids[0] as string);
    await untilEnded(ids[1] as string, 'two');
    expect(seen).toEqual([[{ tenant_id: 'one' }], 'system', expect.any(Date), [{ tenant_id: 'two' }], 'system', expect.any(Date)]);
    await expect(db.rows('SELECT value FROM tenant_counters', [])).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('of a kind that this process does not know is left for another', async () => {
    const [unknown, known] = [await enqueue('unknown'), await enqueue('count')];
    start({ count: countKind });
    await untilEnded(known);
    expect(await read(unknown)).toMatchObject({ state: 'WAITING', attempts: 0 });
  });

  it('that is long does not keep a short one waiting', async () => {
    const long = await enqueue('count', 'long');
    start({ count: countKind, short: { handler: async () => 'finished' } }, { concurrency: 1 });
    await vi.waitFor(async () => expect((await read(long)).done).toBeGreaterThan(1));
    await untilEnded(await enqueue('short'));
    expect((await read(long)).state).toBe('WAITING');
  });

  it('waits for its time, and a chunk may ask for a later one', async () => {
    const times: number[] = [];
    const kind: JobKind = {
      async handler(scope, job) {
        times.push(scope.now.getTime());
        return job.done === 1 ? 'finished' : { cursor: {}, done: 1, total: 2, runAt: new Date(scope.now.getTime() + 300) };
      },
    };
    const begun = Date.now();
    const id = await enqueue('later', 'subject', { runAt: new Date(begun + 300) });
    start({ later: kind });
    await untilEnded(id);
    expect((times[0] as number) - begun).toBeGreaterThanOrEqual(300);
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(300);
  });

  it('can be brought forward, and never back', async () => {
    const by = (ms: number): Promise<string> =>
      db.transaction((tx) => enqueueJobBy(tx, { tenantId: 'one', kind: 'count', subjectId: 'by', runAt: new Date(ms) }, new Date()));
    const id = await by(9_000_000_000_000);
    expect(await by(8_000_000_000_000)).toBe(id);
    expect(await by(9_500_000_000_000)).toBe(id);
    expect((await read(id)).runAt.getTime()).toBe(8_000_000_000_000);
    start({ count: countKind });
    expect(await by(Date.now())).toBe(id);
    await untilEnded(id);
  });

  it('that ends while it is brought forward is followed by another, which sees what was done meanwhile', async () => {
    let running: () => void = () => {};
    const isRunning = new Promise<void>((resolve) => {
      running = resolve;
    });
    const kind: JobKind = {
      async handler(scope, job) {
        await scope.db.run('INSERT INTO chunks (job, number) VALUES ($1, 1)', [job.id]);
        running();
        await scope.db.run('SELECT pg_sleep(0.3)', []);
        return 'finished';
      },
    };
    const first = await enqueue('slow', 'by');
    start({ slow: kind });
    await isRunning;
    const second = await db.transaction((tx) =>
      enqueueJobBy(tx, { tenantId: 'one', kind: 'slow', subjectId: 'by', runAt: new Date() }, new Date()),
    );
    expect(second).not.toBe(first);
    await untilEnded(second);
    expect(await chunksOf(second)).toEqual([1]);
  });

  it('can be cancelled before its next chunk, by its tenant', async () => {
    const id = await enqueue('count', 'subject', { runAt: new Date(Date.now() + 60_000) });
    expect(await cancelJob(db, 'two', id, new Date())).toBe(false);
    expect(await cancelJob(db, 'one', id, new Date())).toBe(true);
    expect(await cancelJob(db, 'one', id, new Date())).toBe(false);
    expect(await read(id)).toMatchObject({ state: 'FAILED', error: 'Cancelled.' });
  });

  it('is forgotten a while after its end', async () => {
    const [ended, waiting] = [await enqueue('count', 'ended'), await enqueue('count', 'waiting')];
    await cancelJob(db, 'one', ended, new Date());
    expect(await removeEndedJobs(db, new Date(Date.now() - 1000))).toBe(0);
    expect(await removeEndedJobs(db, new Date(Date.now() + 1000))).toBe(1);
    expect(await findJob(db, 'one', waiting)).toBeDefined();
  });
});

describe('a failure', () => {
  it('undoes its chunk, is tried again after a pause, and is forgotten after a success', async () => {
    let failures = 0;
    const kind: JobKind = {
      async handler(scope, job) {
        await scope.db.run('INSERT INTO chunks (job, number) VALUES ($1, $2)', [job.id, job.done + 1]);
        if (job.done === 1 && failures < 2) {
          failures++;
          throw new Error('for the log alone');
        }
        return job.done === 2 ? 'finished' : { cursor: {}, done: job.done + 1, total: 3 };
      },
    };
    const id = await enqueue('k');
    start({ k: kind });
    await vi.waitFor(async () => {
      const job = await read(id);
      expect(job.attempts).toBe(1);
      expect(job.error).toMatch(/^Something went wrong on our side \(reference [0-9a-f]{12}\)\.$/);
    });
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE', attempts: 0, error: '' });
    expect(failures).toBe(2);
    expect(await chunksOf(id)).toEqual([1, 2, 3]);
  });

  it('is final when attempts are used up, and onFailed is part of it', async () => {
    const onFailed = vi.fn(async (scope, job) => {
      await scope.db.run('INSERT INTO chunks (job, number) VALUES ($1, 99)', [job.id]);
    });
    const id = await enqueue('k');
    start({ k: failing(() => new AppError('CONFLICT', 'Somebody is faster.'), { maxAttempts: 3, onFailed }) });
    expect(await untilEnded(id)).toMatchObject({ state: 'FAILED', attempts: 3, error: 'Somebody is faster.' });
    expect(await chunksOf(id)).toEqual([99]);
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ tenantId: 'one' }),
      expect.objectContaining({ id }),
      expect.objectContaining({ code: 'CONFLICT' }),
    );
    expect(await countJobs(db, new Date())).toEqual({ waiting: 0, late: 0, failed: 1 });
  });

  it('that another attempt cannot mend is final at once', async () => {
    const id = await enqueue('k');
    start({ k: failing(() => new AppError('FAILED_PRECONDITION', 'There is nothing to do this with.')) });
    expect(await untilEnded(id)).toMatchObject({ state: 'FAILED', attempts: 1, error: 'There is nothing to do this with.' });
  });

  it('of onFailed itself leaves the job waiting, for later', async () => {
    const onFailed = () => Promise.reject(new Error('this too'));
    const id = await enqueue('k');
    start({ k: failing(() => new AppError('NOT_FOUND', 'Gone.'), { onFailed }) });
    await vi.waitFor(async () => expect((await read(id)).runAt.getTime()).toBeGreaterThan(Date.now() + 30_000));
    expect(await read(id)).toMatchObject({ state: 'WAITING', attempts: 0 });
  });

  it('of a statement that takes too long counts; its limit is the kind’s own', async () => {
    const kind: JobKind = {
      statementTimeoutMs: 100,
      maxAttempts: 1,
      handler: (scope) => scope.db.run('SELECT pg_sleep(5)', []).then(() => 'finished' as const),
    };
    const id = await enqueue('k');
    start({ k: kind });
    expect(await untilEnded(id)).toMatchObject({ state: 'FAILED', attempts: 1 });
  });

  it('of the connection does not count, and the job goes on', async () => {
    const id = await enqueue('count');
    start({ count: countKind }, { concurrency: 1 });
    for (let round = 0; round < 2; round++) {
      const { done } = await vi.waitFor(() => read(id));
      await vi.waitFor(async () => expect((await read(id)).done).toBeGreaterThan(done));
      await test.admin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'countersign%'",
      );
    }
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE' });
    expect(await chunksOf(id)).toEqual(oneToTwenty);
  });

  it('is followed by longer and longer pauses, up to a minute', () => {
    expect([1, 2, 3, 8, 9, 10, 50].map(pauseAfter)).toEqual([200, 400, 800, 25_600, 51_200, 60_000, 60_000]);
  });
});

describe('a runner', () => {
  it('beside others does every chunk once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => enqueue('count', `subject ${index}`)));
    for (let runner = 0; runner < 3; runner++) {
      start({ count: countKind });
    }
    for (const id of ids) {
      await untilEnded(id);
      expect(await chunksOf(id)).toEqual(oneToTwenty);
    }
  });

  it('that is killed in the middle of chunks loses and repeats nothing', async () => {
    const ids = [await enqueue('count', 'a'), await enqueue('count', 'b')];
    const file = join(import.meta.dirname, '../../test/support/jobs-process.ts');
    for (const pattern of [/^3$/, /^8$/, /^12$/]) {
      const other = runProcess(file, [test.url]);
      await other.line(pattern);
      await other.end('SIGKILL');
    }
    start({ count: countKind });
    for (const id of ids) {
      expect(await untilEnded(id)).toMatchObject({ state: 'DONE', attempts: 0 });
      expect(await chunksOf(id)).toEqual(oneToTwenty);
    }
  });

  it('is woken by a new job, and looks again when it has lost its ear', async () => {
    start({ short: { handler: async () => 'finished' } }, { pollMs: 60_000 });
    await delay(100);
    const begun = Date.now();
    await untilEnded(await enqueue('short'));
    expect(Date.now() - begun).toBeLessThan(2000);
    await test.admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'countersign listen'",
    );
    await untilEnded(await enqueue('short'));
  });

  it('drains at the next chunk, and another goes on from there', async () => {
    const id = await enqueue('count');
    const runner = start({ count: countKind });
    await vi.waitFor(async () => expect((await read(id)).done).toBeGreaterThan(1));
    expect(await runner.drain()).toBe(true);
    const { done, state } = await read(id);
    expect(state).toBe('WAITING');
    await delay(150);
    expect((await read(id)).done).toBe(done);
    start({ count: countKind });
    await untilEnded(id);
    expect(await chunksOf(id)).toEqual(oneToTwenty);
  });

  it('says when a chunk does not end in time', async () => {
    const id = await enqueue('slow');
    const runner = start({ slow: { handler: (scope) => scope.db.run('SELECT pg_sleep(1)', []).then(() => 'finished' as const) } });
    await delay(300);
    expect(await runner.drain(50)).toBe(false);
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE' });
  });

  it('closes the database under a chunk without hanging, and without losing the job', async () => {
    const own = await openDatabase({ databaseUrl: test.url, log: silentLogger });
    const id = await enqueue('count');
    const handlers = new Map([['count', countKind]]);
    const runner = createRunner({ database: own, handlers, log: silentLogger, clock: () => new Date() });
    runner.start();
    await vi.waitFor(async () => expect((await read(id)).done).toBeGreaterThan(0));
    await own.close();
    await runner.drain();
    start({ count: countKind });
    await untilEnded(id);
    expect(await chunksOf(id)).toEqual(oneToTwenty);
  });
});
