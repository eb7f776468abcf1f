/**
 * Figure: 32 reviewers approve tasks at the same time, each their own through HTTP with a credential and a connection of their own, one
 * after the other. The slow ones (p99) beside the median of the same run.
 */
import { Agent, request } from 'node:http';
import { createClient } from '../src/client/index.ts';
import { IssuedCredentialService } from '../src/gen/countersign/v1/people_pb.js';
import { TaskService } from '../src/gen/c1/api/task/v1/task_service_pb.js';
import { emailOf } from './data/company.ts';
import { atMost, type Figure, median, percentile } from './figure.ts';
import type { World } from './data/world.ts';

const reviewerCount = 32;
const warmUp = 10;
const [decisionsEach, shortDecisionsEach] = [150, 40];

/** A reviewer with the tasks they have not decided yet. */
export interface Reviewer {
  readonly token: string;
  readonly taskIds: string[];
}

async function makeReviewer(world: World, userId: string, most: number): Promise<Reviewer> {
  const { server } = world;
  const { client, clientSecret } = await server.admin.call(IssuedCredentialService.method.issue, { userId, displayName: 'Reviewer' });
  const own = createClient({ url: server.url, credential: { clientId: client?.clientId ?? '', clientSecret: clientSecret ?? '' } });
  const taskIds: string[] = [];
  for await (const view of own.pages(TaskService.method.search, { assigneesInIds: [userId], taskStates: ['TASK_STATE_OPEN'] })) {
    taskIds.push(view.task?.id ?? '');
    if (taskIds.length === most) {
      break;
    }
  }
  return { token: await own.token(), taskIds };
}

/** Milliseconds from the request to the end of its reply. */
function approve(world: Pick<World, 'server'>, agent: Agent, token: string, taskId: string): Promise<number> {
  const body = JSON.stringify({ comment: 'Still needed.' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': String(body.length) };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const path = `/api/v1/tasks/${taskId}/action/approve`;
    request({ host: 'localhost', port: world.server.port, agent, method: 'POST', path, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) {
          resolve(performance.now() - begun);
        } else {
          reject(new Error(`approve: ${response.statusCode}`));
        }
      });
    })
      .on('error', reject)
      .end(body);
  });
}

/** Makes 32 reviewers who are asked, each with at most so many of their open tasks. */
export async function makeReviewers(world: World, most: number): Promise<Reviewer[]> {
  const superuser = await world.server.superuser();
  const emails = Array.from({ length: reviewerCount }, (_, n) => emailOf(n + 1));
  const { rows } = await superuser.query<{ id: string }>('SELECT id FROM users WHERE email_key = ANY ($1)', [emails]);
  await superuser.end();
  const reviewers: Reviewer[] = [];
  for (const { id } of rows) {
    reviewers.push(await makeReviewer(world, id, most));
  }
  return reviewers;
}

/** Has each reviewer approve their next tasks, all reviewers at once; the milliseconds of each, and how many a second there were of all. */
export async function decideAtOnce(
  world: Pick<World, 'server'>,
  reviewers: readonly Reviewer[],
  each: number,
): Promise<{ readonly taken: readonly number[]; readonly perSecond: number }> {
  const taken: number[] = [];
  const begun = performance.now();
  await Promise.all(
    reviewers.map(async ({ token, taskIds }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (const taskId of taskIds.splice(0, each)) {
        taken.push(await approve(world, agent, token, taskId));
      }
      agent.destroy();
    }),
  );
  return { taken, perSecond: taken.length / ((performance.now() - begun) / 1000) };
}

/** p99 under five times the median. */
export const measureDeciding: Figure = async (open, { isShort }) => {
  const each = isShort ? shortDecisionsEach : decisionsEach;
  const world = await open();
  await world.started();
  const reviewers = await makeReviewers(world, warmUp + each);
  await decideAtOnce(world, reviewers, warmUp);
  const { taken, perSecond } = await decideAtOnce(world, reviewers, each);
  const [middle, slow] = [median(taken), percentile(taken, 0.99)];
  const title = `${reviewers.length} reviewers at once: p99 (${perSecond.toFixed(0)} decisions/s)`;
  return [
    atMost(5, { title, ours: `${slow.toFixed(0)} ms`, peer: `${middle.toFixed(0)} ms (median)`, ratio: slow / middle }, 'times the median'),
  ];
};
