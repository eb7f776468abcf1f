/**
 * Another process of ours that runs jobs, for tests that kill it: `node jobs-process.ts URL`. Its one kind, `count`, writes a row into
 * `chunks` in each of 20 chunks. Prints the number of each chunk when it is about to be committed.
 */
import { openDatabase } from '../../src/db/open.ts';
import { createRunner, type JobKind } from '../../src/jobs/index.ts';
import { noReactions, silentLogger } from '../../src/context.ts';
import '../../src/slots.ts';

/** Counts to 20, one row and about 30 ms a chunk. */
export const countKind: JobKind = {
  async handler(context, job) {
    const next = job.done + 1;
    await context.db.run('INSERT INTO chunks (job, number) VALUES ($1, $2)', [job.id, next]);
    await context.db.run('SELECT pg_sleep(0.03)', []);
    return next === 20 ? 'finished' : { cursor: { next }, done: next, total: 20 };
  },
};

/** Counts like `count`, but goes no further than `limit` says at the time. */
export function countUpTo(limit: () => number): JobKind {
  return {
    handler(context, job) {
      return job.done < limit()
        ? countKind.handler(context, job)
        : Promise.resolve({ cursor: job.cursor, done: job.done, total: 20, runAt: new Date(context.now.getTime() + 30) });
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  const database = await openDatabase({ databaseUrl: process.argv[2], log: silentLogger });
  const printing: JobKind = {
    async handler(context, job) {
      const result = await countKind.handler(context, job);
      process.stdout.write(`${job.done + 1}\n`);
      return result;
    },
  };
  createRunner({
    database,
    handlers: new Map([['count', printing]]),
    log: silentLogger,
    react: noReactions,
    clock: () => new Date(),
  }).start();
}
