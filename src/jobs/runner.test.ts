/** Runners on a real database: several beside each other, killed, drained, cut off. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countKind, countUpTo } from '../../test/support/jobs-process.ts';
import { useQueue } from '../../test/support/queue.ts';
import { runProcess } from '../../test/support/run-process.ts';
import { openDatabase } from '../db/open.ts';
import { noReactions, silentLogger } from '../context.ts';
import { callAgain, callJobs, createRunner, enqueueJob, type JobKind } from './index.ts';
import { until } from '../../test/support/until.ts';

const queue = useQueue();
const { start, enqueue, read, untilEnded, chunksOf } = queue;
const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);

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
      const other = runProcess(file, [queue.test.url]);
      await other.line(pattern);
      await other.end('SIGKILL');
    }
    start({ count: countKind });
    for (const id of ids) {
      expect(await untilEnded(id)).toMatchObject({ state: 'DONE', attempts: 0 });
      expect(await chunksOf(id)).toEqual(oneToTwenty);
    }
  });

  it('does what a clock that was hours ahead has put off, in the order it has put it in', async () => {
    const ahead = new Date(Date.now() + 5 * 3_600_000);
    const soon = new Date(ahead.getTime() - 600_000);
    const order: string[] = [];
    const [last, first, later] = await queue.db.transaction(async (db) => [
      await enqueueJob(db, { tenantId: 'one', kind: 'short', subjectId: 'last' }, ahead),
      await enqueueJob(db, { tenantId: 'one', kind: 'short', subjectId: 'first', runAt: soon }, ahead),
      // A right clock has put this one off, and meant it.
      await enqueueJob(db, { tenantId: 'one', kind: 'short', subjectId: 'later', runAt: ahead }, new Date()),
    ]);
    await queue.db.transaction(async (db) => {
      await callJobs(db, [{ tenantId: 'one', kind: 'short', subjectId: 'called', runAt: ahead }]);
      await callAgain(db, { tenantId: 'one', kind: 'short', subjectId: 'asleep', runAt: ahead }, new Date());
    });
    // One after the other: two at once end in any order.
    const kinds: Record<string, JobKind> = {
      short: {
        async handler(_context, job) {
          order.push(job.subjectId);
          return 'finished';
        },
      },
    };
    start(kinds, { concurrency: 1 });
    await until(() => expect(order).toContain('called'));
    await untilEnded(last as string);
    await untilEnded(first as string);
    expect(order.indexOf('first')).toBeLessThan(order.indexOf('last'));
    expect(order).not.toContain('asleep');
    expect((await read(later as string)).state).toBe('WAITING');
  });

  it('is woken by a new job, and looks again when it has lost its ear', async () => {
    // Longer than this test may take: only what wakes the runner ends the job.
    start({ short: { handler: async () => 'finished' } }, { pollMs: 600_000 });
    // The first may be found by the look at its start, the second is not.
    await untilEnded(await enqueue('short'));
    await untilEnded(await enqueue('short'));
    await queue.test.admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'countersign listen'",
    );
    await untilEnded(await enqueue('short'));
  });

  it('drains at the next chunk, and another goes on from there', async () => {
    const id = await enqueue('count');
    // It does not end before the other runner begins.
    let limit = 18;
    const runner = start({ count: countUpTo(() => limit) });
    await until(async () => expect((await read(id)).done).toBeGreaterThan(1));
    expect(await runner.drain()).toBe(true);
    const { done, state } = await read(id);
    expect(state).toBe('WAITING');
    // Long enough for another to find a job of its own and to do it.
    start({ short: { handler: async () => 'finished' } });
    await untilEnded(await enqueue('short'));
    expect((await read(id)).done).toBe(done);
    limit = 20;
    start({ count: countKind });
    await untilEnded(id);
    expect(await chunksOf(id)).toEqual(oneToTwenty);
  });

  it('says when a chunk does not end in time', async () => {
    const id = await enqueue('slow');
    const begun = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    const slow: JobKind = {
      async handler() {
        begun.resolve();
        await ending.promise;
        return 'finished';
      },
    };
    const runner = start({ slow });
    await begun.promise;
    expect(await runner.drain(50)).toBe(false);
    ending.resolve();
    expect(await untilEnded(id)).toMatchObject({ state: 'DONE' });
  });

  it('closes the database under a chunk without hanging, and without losing the job', async () => {
    const own = await openDatabase({ databaseUrl: queue.test.url, log: silentLogger });
    const id = await enqueue('count');
    const handlers = new Map([['count', countKind]]);
    const runner = createRunner({ database: own, handlers, log: silentLogger, react: noReactions, clock: () => new Date() });
    runner.start();
    await until(async () => expect((await read(id)).done).toBeGreaterThan(0));
    await own.close();
    await runner.drain();
    start({ count: countKind });
    await untilEnded(id);
    expect(await chunksOf(id)).toEqual(oneToTwenty);
  });
});
