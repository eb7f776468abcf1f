/** Adding jobs to the queue on a real database: with the transaction, once each, for one tenant. */
import { describe, expect, it } from 'vitest';
import { useQueue } from '../../test/support/queue.ts';
import { countJobs, enqueueJob, findJob } from './index.ts';
import { findLatestJob } from './store.ts';

const queue = useQueue();
const { enqueue } = queue;

describe('enqueueJob', () => {
  it('adds nothing where the transaction does not commit', async () => {
    const failed = queue.db.transaction(async (tx) => {
      await enqueueJob(tx, { tenantId: 'one', kind: 'k', subjectId: 's' }, new Date());
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await countJobs(queue.db, 'INSIDE', new Date(), new Date())).toMatchObject({ waiting: 0, late: 0, failed: 0 });
  });

  it('answers with the one that waits already, per tenant, kind and subject', async () => {
    const id = await enqueue('k');
    expect(await enqueue('k')).toBe(id);
    const others = await Promise.all([enqueue('k', 'other'), enqueue('other'), enqueue('k', 'subject', { tenantId: 'two' })]);
    expect(new Set([id, ...others]).size).toBe(4);
    expect(await Promise.all(Array.from({ length: 5 }, () => enqueue('many')))).toEqual(
      Array.from({ length: 5 }, () => expect.any(String)),
    );
    expect(await countJobs(queue.db, 'INSIDE', new Date(Date.now() - 60_000), new Date())).toMatchObject({
      waiting: 5,
      late: 0,
      failed: 0,
    });
  });

  it('counts as late when nobody does it, not while it sleeps', async () => {
    await enqueue('k');
    await enqueue('sleeper', 'subject', { runAt: new Date(Date.now() + 60_000) });
    const inAMinute = new Date(Date.now() + 30_000);
    expect(await countJobs(queue.db, 'INSIDE', inAMinute, new Date())).toMatchObject({ waiting: 2, late: 1, failed: 0 });
    await queue.db.run("UPDATE jobs SET attempts = 1 WHERE kind = 'sleeper'");
    expect(await countJobs(queue.db, 'INSIDE', inAMinute, new Date())).toMatchObject({ late: 2 });
  });

  it('is found by its own tenant only', async () => {
    const id = await enqueue('k', 'subject', { cursor: { at: 'start' } });
    expect(await findJob(queue.db, 'one', id)).toMatchObject({
      id,
      state: 'WAITING',
      cursor: { at: 'start' },
      done: 0,
      total: 0,
      attempts: 0,
    });
    expect(await findJob(queue.db, 'two', id)).toBeUndefined();
    expect(await findLatestJob(queue.db, 'one', 'k', 'subject')).toMatchObject({ id });
    expect(await findLatestJob(queue.db, 'two', 'k', 'subject')).toBeUndefined();
  });
});
