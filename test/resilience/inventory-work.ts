/**
 * Many at once who do random things to one inventory over HTTP, and the answers they got. What they do is in inventory-acts.ts.
 */
import { type Answer, request } from '../support/api.ts';
import { connectScim } from '../support/scim.ts';
import type { TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';
import { acts, grantsFile, peopleFile, type Worker } from './inventory-acts.ts';

/** Results, counted. */
export interface Tally {
  /** Times each act was answered by each status: `give 200`. */
  readonly answers: Map<string, number>;
  /** Answers that nobody should get: faults of ours, and conflicts that were not tried again often enough. */
  readonly faults: string[];
}

/** Random numbers from 0 to 1 that come again with the same seed (mulberry32). */
export function createRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An inventory to work on: people, the apps One and Two from files, and an app that an identity provider pushes into. */
export async function prepareWork(server: TestServer): Promise<(seed: number) => Worker> {
  const provider = await connectScim(server, 'SCIM');
  const workerOf = (seed: number): Worker => ({
    tenantId: server.id,
    random: createRandom(seed),
    call: (method, path, body) => request(server, server.admin, method, path, body),
    upload: (path, file) => sendFile(server, server.admin, path, file),
    scim: async (method, path, body) => provider.send(method, path, body),
    rows: (sql, values = []) => server.system().db.rows(sql, [server.id, ...values]),
  });
  const first = workerOf(0);
  await first.upload('/api/v1/imports/people', peopleFile(first));
  for (const app of ['One', 'Two']) {
    await first.upload(`/api/v1/imports/grants?app=${app}`, grantsFile(first));
  }
  await first.call('POST', '/api/v1/catalogs', { displayName: 'Profile', published: true });
  return workerOf;
}

const weighted = Object.entries(acts).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name));

/** One act of a worker's choosing, and how it was answered. */
export async function actOnce(worker: Worker): Promise<{ name: string; answer: Answer | undefined }> {
  const name = weighted[Math.floor(worker.random() * weighted.length)] ?? '';
  return { name, answer: await acts[name]?.[1](worker) };
}

/** Lets workers act until it is over; each begins with a seed of its own. */
export async function workAtOnce(workers: readonly Worker[], isOver: () => boolean): Promise<Tally> {
  const tally: Tally = { answers: new Map(), faults: [] };
  await Promise.all(
    workers.map(async (worker) => {
      while (!isOver()) {
        const { name, answer } = await actOnce(worker);
        if (answer === undefined) {
          continue;
        }
        const key = `${name} ${answer.status}`;
        tally.answers.set(key, (tally.answers.get(key) ?? 0) + 1);
        const text = JSON.stringify(answer.body ?? {});
        if (answer.status >= 500 || text.includes('changed this at the same time') || text.includes('is changing this')) {
          tally.faults.push(`${key}: ${text.slice(0, 300)}`);
        }
      }
    }),
  );
  return tally;
}

/** Waits until no job of this tenant is due any more; those that wait for a later time do not count. */
export async function untilJobsRest({ rows }: Worker, milliseconds = 15_000): Promise<void> {
  for (const until = Date.now() + milliseconds; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const due = await rows(`SELECT kind, attempts, error FROM jobs WHERE tenant_id = $1 AND state = 'WAITING' AND run_at <= now()`);
    if (due.length === 0) {
      return;
    }
    if (Date.now() > until) {
      throw new Error(`jobs are still to be done: ${JSON.stringify(due)}`);
    }
  }
}
