/**
 * Figure: 32 reviewers approve tasks at the same time, each their own through HTTP with a credential and a connection of their own, one
 * after the other. The slow ones (p99) beside the median of the same run.
 */
import { Agent, request } from 'node:http';
import { createClient } from '../src/client/index.ts';
import { IssuedCredentialService } from '../src/gen/countersign/v1/people_pb.js';
import { TaskService } from '../src/gen/c1/api/task/v1/task_service_pb.js';
import { emailOf } from './company.ts';
import { atMost, type Figure, median, percentile } from './figure.ts';
import type { World } from './world.ts';

const reviewerCount = 32;
const warmUp = 10;
const decisionsEach = 150;

interface Reviewer {
  readonly token: string;
  readonly taskIds: readonly string[];
}

async function makeReviewer(world: World, userId: string): Promise<Reviewer> {
  const { server } = world;
  const { client, clientSecret } = await server.admin.call(IssuedCredentialService.method.issue, { userId, displayName: 'Reviewer' });
  const own = createClient({ url: server.url, credential: { clientId: client?.clientId ?? '', clientSecret: clientSecret ?? '' } });
  const taskIds: string[] = [];
  for await (const view of own.pages(TaskService.method.search, { assigneesInIds: [userId], taskStates: ['TASK_STATE_OPEN'] })) {
    taskIds.push(view.task?.id ?? '');
    if (taskIds.length === warmUp + decisionsEach) {
      break;
    }
  }
  return { token: await own.token(), taskIds };
}

/** Milliseconds from the request to the end of its reply. */
function approve(world: World, agent: Agent, token: string, taskId: string): Promise<number> {
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

/** p99 under five times the median. */
export const measureDeciding: Figure = async (open) => {
  const world = await open();
  await world.started();
  const superuser = await world.server.superuser();
  const emails = Array.from({ length: reviewerCount }, (_, n) => emailOf(n + 1));
  const { rows } = await superuser.query<{ id: string }>('SELECT id FROM users WHERE email_key = ANY ($1)', [emails]);
  await superuser.end();
  const reviewers: Reviewer[] = [];
  for (const { id } of rows) {
    reviewers.push(await makeReviewer(world, id));
  }
  const taken: number[] = [];
  const begun = performance.now();
  await Promise.all(
    reviewers.map(async ({ token, taskIds }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (const [index, taskId] of taskIds.entries()) {
        const milliseconds = await approve(world, agent, token, taskId);
        if (index >= warmUp) {
          taken.push(milliseconds);
        }
      }
      agent.destroy();
    }),
  );
  const perSecond = (taken.length + reviewers.length * warmUp) / ((performance.now() - begun) / 1000);
  const [middle, slow] = [median(taken), percentile(taken, 0.99)];
  const title = `${reviewers.length} reviewers at once: p99 (${perSecond.toFixed(0)} decisions/s)`;
  return [
    atMost(5, { title, ours: `${slow.toFixed(0)} ms`, peer: `${middle.toFixed(0)} ms (median)`, ratio: slow / middle }, 'times the median'),
  ];
};
