/** The chunks of a job on a real database: in order, once, as its tenant, and through failures. */
import { describe, expect, it, vi } from 'vitest';
import { countKind } from '../../test/support/jobs-process.ts';
import { useQueue } from '../../test/support/queue.ts';
import { AppError } from '../errors.ts';
import { cancelJob, countJobs, enqueueJobBy, findJob, type JobKind } from './index.ts';
import { pauseAfter } from './run-chunk.ts';
import { removeEndedJobs } from './store.ts';

const queue = useQueue();
const { start, enqueue, read, untilEnded, chunksOf } = queue;
const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);

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
      async handler(context) {
        await context.db.run("INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'job', 1)", [context.tenantId]);
        seen.push(await context.db.rows('SELECT tenant_id FROM tenant_counters', []), context.actor.kind, context.now);
        return 'finished';
      },
    };
    const ids = [await enqueue('k'), await enqueue('k', 'subject', { tenantId: 'two' })];
    start({ k: kind }, { concurrency: 1 });
    await untilEnded(ids[0] as string);
    await untilEnded(ids[1] as string, 'two');
    expect(seen).toEqual([[{ tenant_id: 'one' }], 'system', expect.any(Date), [{ tenant_id: 'two' }], 'system', expect.any(Date)]);
    await expect(queue.db.rows('SELECT value FROM tenant_counters', [])).rejects.toMatchObject({ code: 'INTERNAL' });
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
      async handler(context, job) {
        times.push(context.now.getTime());
        return job.done === 1 ? 'finished' : { cursor: {}, done: 1, total: 2, runAt: new Date(context.now.getTime() + 300) };
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
      queue.db.transaction((tx) => enqueueJobBy(tx, { tenantId: 'one', kind: 'count', subjectId: 'by', runAt: new Date(ms) }, new Date()));
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
      async handler(context, job) {
        await context.db.run('INSERT INTO chunks (job, number) VALUES ($1, 1)', [job.id]);
        running();
        await context.db.run('SELECT pg_sleep(0.3)', []);
        return 'finished';
      },
    };
    const first = await enqueue('slow', 'by');
    start({ slow: kind });
    await isRunning;
    const second = await queue.db.transaction((tx) =>
      enqueueJobBy(tx, { tenantId: 'one', kind: 'slow', subjectId: 'by', runAt: new Date() }, new Date()),
    );
    expect(second).not.toBe(first);
    await untilEnded(second);
    expect(await chunksOf(second)).toEqual([1]);
  });

  it('can be cancelled before its next chunk, by its tenant', async () => {
    const id = await enqueue('count', 'subject', { runAt: new Date(Date.now() + 60_000) });
    expect(await cancelJob(queue.db, 'two', id, new Date())).toBe(false);
    expect(await cancelJob(queue.db, 'one', id, new Date())).toBe(true);
    expect(await cancelJob(queue.db, 'one', id, new Date())).toBe(false);
    expect(await read(id)).toMatchObject({ state: 'FAILED', error: 'Cancelled.' });
  });

  it('is forgotten a while after its end', async () => {
    const [ended, waiting] = [await enqueue('count', 'ended'), await enqueue('count', 'waiting')];
    await cancelJob(queue.db, 'one', ended, new Date());
    expect(await removeEndedJobs(queue.db, new Date(Date.now() - 1000))).toBe(0);
    expect(await removeEndedJobs(queue.db, new Date(Date.now() + 1000))).toBe(1);
    expect(await findJob(queue.db, 'one', waiting)).toBeDefined();
  });
});

/** A kind that records each attempt as a chunk, then throws what it is given. */
function failing(thrown: () => unknown, more: Partial<JobKind> = {}): JobKind {
  return {
    async handler(context, job) {
      await context.db.run('INSERT INTO chunks (job, number) VALUES ($1, 1)', [job.id]);
      throw thrown();
    },
    ...more,
  };
}

describe('a failure', () => {
  it('undoes its chunk, is tried again after a pause, and is forgotten after a success', async () => {
    let failures = 0;
    const kind: JobKind = {
      async handler(context, job) {
        await context.db.run('INSERT INTO chunks (job, number) VALUES ($1, $2)', [job.id, job.done + 1]);
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
    const onFailed = vi.fn(async (context, job) => {
      await context.db.run('INSERT INTO chunks (job, number) VALUES ($1, 99)', [job.id]);
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
    expect(await countJobs(queue.db, new Date())).toEqual({ waiting: 0, late: 0, failed: 1 });
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
      handler: (context) => context.db.run('SELECT pg_sleep(5)', []).then(() => 'finished' as const),
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
      await queue.test.admin(
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
