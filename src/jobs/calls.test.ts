/** Calls on a real database: they wait for nobody, nothing that was called for is lost, and a burst becomes one job. */
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { countKind } from '../../test/support/jobs-process.ts';
import { useQueue } from '../../test/support/queue.ts';
import { runProcess } from '../../test/support/run-process.ts';
import type { Db } from '../db/types.ts';
import { AppError } from '../errors.ts';
import { beginCalledJobs, settleAt } from './calls.ts';
import { callAgain, callJobs, countJobs, type JobKind } from './index.ts';
import { until } from '../../test/support/until.ts';

const queue = useQueue();

const callFor = (db: Db, kind: string, runAt = new Date(), subjectId = 'subject') =>
  callJobs(db, [{ tenantId: 'one', kind, subjectId, runAt }]);
const call = (kind: string, runAt = new Date(), subjectId = 'subject') => queue.db.transaction((db) => callFor(db, kind, runAt, subjectId));
const calls = async () => (await queue.db.one<{ count: number }>("SELECT count(*) AS count FROM jobs WHERE state = 'CALLED'", [])).count;
const jobsOf = (kind: string) =>
  queue.db.rows<{ id: string; state: string }>("SELECT id, state FROM jobs WHERE kind = $1 AND state <> 'CALLED' ORDER BY created_at, id", [
    kind,
  ]);
const allDone = async (kind: string) => {
  await vi.waitFor(
    async () => {
      expect(await calls()).toBe(0);
      expect((await jobsOf(kind)).every(({ state }) => state === 'DONE')).toBe(true);
    },
    { timeout: 60_000, interval: 20 },
  );
  return jobsOf(kind);
};

/** Writes a change down, as the table `chunks` has nothing else with this name. */
const change = (db: Db, number: number) => db.run("INSERT INTO chunks (job, number) VALUES ('change', $1)", [number]);
/** A kind that notes how many changes it sees at its beginning, then takes its time. */
function looking(seen: number[], seconds = 0): JobKind {
  return {
    async handler(context) {
      seen.push((await context.db.one<{ count: number }>("SELECT count(*) AS count FROM chunks WHERE job = 'change'", [])).count);
      await context.db.run('SELECT pg_sleep($1)', [seconds]);
      return 'finished';
    },
  };
}

describe('a call', () => {
  it('is there if and only if its transaction commits, and becomes a job then', async () => {
    const seen: number[] = [];
    queue.start({ look: looking(seen), meanwhile: { handler: async () => 'finished' } });
    const failed = queue.db.transaction(async (db) => {
      await change(db, 1);
      await callFor(db, 'look');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await queue.db.transaction(async (db) => {
      await callFor(db, 'look');
      // Whoever could see the call begins it no later than this one.
      await queue.untilEnded(await queue.enqueue('meanwhile'));
      await change(db, 2);
    });
    expect(await allDone('look')).toHaveLength(1);
    expect(seen).toEqual([1]);
  });

  it('becomes one job with the others of its kind and subject, and with no other', async () => {
    for (let time = 0; time < 20; time++) {
      await call('look');
    }
    await call('look', new Date(), 'another');
    expect(await beginCalledJobs(queue.test.database, ['look'], new Date())).toBe(2);
    expect(await calls()).toBe(0);
    expect(await beginCalledJobs(queue.test.database, ['look'], new Date())).toBe(0);
  });

  it('for later waits for its time, and kinds nobody here does for somebody else', async () => {
    const now = new Date();
    await call('look', new Date(now.getTime() + 60_000));
    await call('unknown', now);
    expect(await beginCalledJobs(queue.test.database, ['look'], now)).toBe(0);
    expect(await beginCalledJobs(queue.test.database, ['look'], new Date(now.getTime() + 60_000))).toBe(1);
    expect(await calls()).toBe(1);
  });

  it('while a chunk runs waits for nobody, and is answered by another job', async () => {
    const seen: number[] = [];
    const hasEnded: true[] = [];
    const finish = Promise.withResolvers<void>();
    const { handler } = looking(seen);
    queue.start({
      look: {
        async handler(...given) {
          const outcome = await handler(...given);
          await finish.promise;
          hasEnded.push(true);
          return outcome;
        },
      },
    });
    await call('look');
    await until(() => expect(seen).toEqual([0]));
    await queue.db.transaction(async (db) => {
      await change(db, 1);
      await callFor(db, 'look');
    });
    // The chunk that ran did not end meanwhile.
    expect(hasEnded).toEqual([]);
    finish.resolve();
    expect(await allDone('look')).toHaveLength(2);
    expect(seen).toEqual([0, 1]);
  });

  it('is not lost between jobs that begin and end while many call', async () => {
    const seen: number[] = [];
    for (let runner = 0; runner < 3; runner++) {
      queue.start({ look: looking(seen, 0.01) }, { pollMs: 5 });
    }
    const caller = async (who: number) => {
      for (let time = 0; time < 40; time++) {
        await queue.db.transaction(async (db) => {
          await callFor(db, 'look');
          await change(db, who * 100 + time);
        });
      }
    };
    await Promise.all([0, 1, 2, 3].map(caller));
    const jobs = await allDone('look');
    expect(seen.at(-1)).toBe(160);
    expect(jobs.length).toBeLessThan(160);
  });

  it('during a job of many chunks is answered by one that begins at the beginning', async () => {
    queue.start({ count: countKind });
    await call('count');
    await until(async () => expect(await jobsOf('count')).toHaveLength(1));
    await call('count');
    const [first, second] = await allDone('count');
    expect(await queue.chunksOf(first?.id ?? '')).toHaveLength(20);
    expect(await queue.chunksOf(second?.id ?? '')).toHaveLength(20);
  });

  it('is answered by one job in spite of a kill', async () => {
    await call('count');
    const file = join(import.meta.dirname, '../../test/support/jobs-process.ts');
    for (const pattern of [/^2$/, /^9$/]) {
      const other = runProcess(file, [queue.test.url]);
      await other.line(pattern);
      await other.end('SIGKILL');
    }
    queue.start({ count: countKind });
    const [job, ...more] = await allDone('count');
    expect(more).toEqual([]);
    expect(await queue.chunksOf(job?.id ?? '')).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('is answered after a job that failed for good', async () => {
    let isBroken = true;
    const kind: JobKind = {
      async handler() {
        if (isBroken) {
          isBroken = false;
          throw new AppError('FAILED_PRECONDITION', 'No.');
        }
        return 'finished';
      },
    };
    await call('look');
    queue.start({ look: kind });
    await until(async () => expect((await jobsOf('look')).map(({ state }) => state)).toEqual(['FAILED']));
    await call('look');
    await until(async () => expect((await jobsOf('look')).map(({ state }) => state).sort()).toEqual(['DONE', 'FAILED']));
  });

  it('that nobody makes a job of is late', async () => {
    await call('look', new Date(Date.now() - 120_000));
    expect(await countJobs(queue.db, 'INSIDE', new Date(Date.now() - 60_000), new Date())).toMatchObject({
      waiting: 0,
      late: 1,
      failed: 0,
    });
    await beginCalledJobs(queue.test.database, ['look'], new Date());
    expect(await countJobs(queue.db, 'INSIDE', new Date(Date.now() - 60_000), new Date())).toMatchObject({
      waiting: 1,
      late: 0,
      failed: 0,
    });
  });

  it('of a job for itself is kept once', async () => {
    const at = (ms: number) => callAgain(queue.db, { tenantId: 'one', kind: 'timer', subjectId: 's', runAt: new Date(ms) }, new Date());
    for (const ms of [9_000_000_000_000, 9_000_000_000_000, 9_100_000_000_000]) {
      await at(ms);
    }
    expect(await calls()).toBe(1);
    await at(8_000_000_000_000);
    expect(await calls()).toBe(2);
  });
});

describe('a burst', () => {
  it('is due at one moment, half a second off at most', () => {
    const at = (ms: number) => settleAt(new Date(ms)).getTime();
    expect([at(10_000), at(10_001), at(10_499)]).toEqual([10_500, 10_500, 10_500]);
    expect(at(10_500)).toBe(11_000);
  });
});
