/** The chunks of a job on a real database: in order, once, as its tenant, and through failures. */
import { describe, expect, it, vi } from 'vitest';
import { countKind, countUpTo } from '../../test/support/jobs-process.ts';
import { useQueue } from '../../test/support/queue.ts';
import { AppError } from '../errors.ts';
import { cancelJob, countJobs, findJob, type Job, type JobKind } from './index.ts';
import { removeEndedJobs } from './store.ts';
import { until } from '../../test/support/until.ts';

const queue = useQueue();
const { start, enqueue, read, untilEnded, chunksOf } = queue;
const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);

describe('a job', () => {
  it('is done chunk by chunk, and its progress can be read meanwhile', async () => {
    const id = await enqueue('count');
    start({ count: countKind });
    await until(async () => expect(await read(id)).toMatchObject({ state: 'WAITING', total: 20, cursor: { next: expect.any(Number) } }));
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
    let limit = 18;
    let doneThen = 0;
    const short: JobKind = {
      async handler() {
        doneThen = (await read(long)).done;
        return 'finished';
      },
    };
    start({ count: countUpTo(() => limit), short }, { concurrency: 1 });
    await until(async () => expect((await read(long)).done).toBeGreaterThan(1));
    const id = await enqueue('short');
    const { done } = await read(long);
    await untilEnded(id);
    expect(doneThen).toBeLessThanOrEqual(done + 2);
    expect((await read(long)).state).toBe('WAITING');
    limit = 20;
    await untilEnded(long);
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

  it('can be cancelled before its next chunk, by its tenant', async () => {
    const id = await enqueue('count', 'subject', { runAt: new Date(Date.now() + 60_000) });
    expect(await cancelJob(queue.db, 'two', id, new Date())).toBe(false);
    expect(await cancelJob(queue.db, 'one', id, new Date())).toBe(true);
    expect(await cancelJob(queue.db, 'one', id, new Date())).toBe(false);
    expect(await read(id)).toMatchObject({ state: 'CANCELLED', error: '' });
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
    const between: Job[] = [];
    const kind: JobKind = {
      async handler(context, job) {
        if (failures === 1) {
          between.push(await read(job.id));
        }
        await context.db.run('INSERT INTO chunks (job, number) VALUES ($1, $2)', [job.id, job.done + 1]);
        if (job.done === 1 && failures < 2) {
          failures++;
          throw new Error('for the log alone');
        }
        return job.done === 2 ? 'finished' : { cursor: {}, done: job.done + 1, total: 3 };
      },
    };
    const id = await enqueue('k');
    // Another worker could take the job before its failure is taken down.
    start({ k: kind }, { concurrency: 1 });
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE', attempts: 0, error: '' });
    expect(between).toMatchObject([
      { state: 'WAITING', attempts: 1, error: expect.stringMatching(/^Something went wrong on our side \(reference [0-9a-f]{12}\)\.$/) },
    ]);
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
    expect(await countJobs(queue.db, 'INSIDE', new Date(), new Date())).toMatchObject({ waiting: 0, late: 0, failed: 1 });
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
    await until(async () => expect((await read(id)).runAt.getTime()).toBeGreaterThan(Date.now() + 30_000));
    expect(await read(id)).toMatchObject({ state: 'WAITING', attempts: 0 });
  });

  it('of a statement that takes too long counts; its limit is the kind’s own', async () => {
    const kind: JobKind = {
      // Long enough for what the runner itself asks on a busy machine.
      statementTimeoutMs: 1_000,
      maxAttempts: 1,
      handler: (context) => context.db.run('SELECT pg_sleep(60)', []).then(() => 'finished' as const),
    };
    const id = await enqueue('k');
    start({ k: kind });
    expect(await untilEnded(id)).toMatchObject({ state: 'FAILED', attempts: 1 });
  });

  it('of the connection does not count, and the job goes on', async () => {
    const id = await enqueue('count');
    let limit = 8;
    start({ count: countUpTo(() => limit) }, { concurrency: 1 });
    for (let round = 0; round < 2; round++) {
      const { done } = await until(() => read(id));
      limit = 8 + 8 * round;
      await until(async () => expect((await read(id)).done).toBeGreaterThan(done));
      await queue.test.admin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'countersign%'",
      );
    }
    limit = 20;
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE' });
    expect(await chunksOf(id)).toEqual(oneToTwenty);
  });
});
