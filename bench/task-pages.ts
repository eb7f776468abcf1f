/**
 * Figure: how long a page of a hundred tasks takes in a review of everything, in every order, with and without a text, for everybody who may
 * ask: an administrator, an owner of the review, a reviewer of a tenth of it, and somebody without tasks, for their own and for others'.
 */
import { createClient } from '../src/client/index.ts';
import { IssuedCredentialService } from '../src/gen/countersign/v1/people_pb.js';
import { emailOf } from './data/company.ts';
import { atMost, type Figure, median } from './figure.ts';
import type { World } from './data/world.ts';

const limitMilliseconds = 50;
const timesEach = 6;
const pageSize = 100;
/** Pages that are gone through before a deep one is timed. */
const pagesDeep = 100;
/** Of a short run. */
const [shortTimesEach, shortPagesDeep] = [2, 10];
/** Pages that take longer than this are reported one by one. */
const toldMilliseconds = 25;
/** The part of the tasks that the large reviewer has. */
const partOfLarge = 0.105;

const orders = ['UNSPECIFIED', 'ACCOUNT', 'ACCOUNT_OWNER', 'RESOURCE', 'APP_RESOURCE_ID_AND_APP_ENTITLEMENT'];

/** Somebody who searches. */
export interface TaskViewer {
  readonly name: string;
  readonly token: () => Promise<string>;
  readonly body: object;
}

interface Reply {
  readonly list?: readonly unknown[];
  readonly nextPageToken?: string;
}

/** One page of tasks. */
export async function askTasks(world: World, viewer: TaskViewer, body: object): Promise<Reply> {
  const response = await fetch(`${world.server.url}/api/v1/search/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await viewer.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ pageSize, ...viewer.body, ...body }),
  });
  if (response.status !== 200) {
    throw new Error(`search of tasks by ${viewer.name}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as Reply;
}

/** Gives a tenth of the tasks to one reviewer, those of the accounts made last, and the review to an owner: straight in the database. */
async function arrange(world: World, reviewId: string): Promise<{ owner: string; large: string; stranger: string }> {
  const superuser = await world.server.superuser();
  try {
    // Some of the last are disabled where the company was made searchable before; nobody gets a credential for them.
    const last = Array.from({ length: 10 }, (_, back) => emailOf(world.size.people - 1 - back));
    const { rows } = await superuser.query<{ id: string }>(
      `SELECT id FROM users WHERE email_key = ANY($1) AND status = 'ENABLED' ORDER BY array_position($1, email_key) LIMIT 3`,
      [last],
    );
    const [owner = '', large = '', stranger = ''] = rows.map(({ id }) => id);
    await superuser.query('UPDATE task_reviews SET manager_ids = ARRAY[$2] WHERE id = $1', [reviewId, owner]);
    await superuser.query(
      `WITH added AS (INSERT INTO task_assignments (tenant_id, id, review_id, user_ids, reason, created_at)
         SELECT tenant_id, 'large', id, ARRAY[$2], 'USERS', now() FROM task_reviews WHERE id = $1 RETURNING tenant_id)
       INSERT INTO task_assignment_members (tenant_id, user_id, assignment_id, review_id) SELECT tenant_id, $2, 'large', $1 FROM added`,
      [reviewId, large],
    );
    await superuser.query(
      `UPDATE tasks SET assignment_id = 'large' WHERE review_id = $1 AND id IN (SELECT id FROM tasks WHERE review_id = $1 ORDER BY id DESC LIMIT $2)`,
      [reviewId, Math.round(world.size.grants * partOfLarge)],
    );
    await superuser.query('VACUUM ANALYZE');
    return { owner, large, stranger };
  } finally {
    await superuser.end();
  }
}

/** Everybody who may ask, once the review is arranged for it. */
export async function makeViewers(world: World): Promise<TaskViewer[]> {
  await world.started();
  const reviewId = await world.reviewId();
  const { owner, large, stranger } = await arrange(world, reviewId);
  const tokenOf = async (userId: string): Promise<() => Promise<string>> => {
    const issued = await world.server.admin.call(IssuedCredentialService.method.issue, { userId, displayName: 'Viewer' });
    const credential = { clientId: issued.client?.clientId ?? '', clientSecret: issued.clientSecret ?? '' };
    const client = createClient({ url: world.server.url, credential });
    return () => client.token();
  };
  const ofStranger = await tokenOf(stranger);
  const ofLarge = await tokenOf(large);
  const admin = (): Promise<string> => world.server.admin.token();
  return [
    { name: 'an administrator', token: admin, body: { accessReviewIds: [reviewId] } },
    { name: 'the owner of the review', token: await tokenOf(owner), body: {} },
    { name: 'a reviewer with a tenth of the tasks', token: ofLarge, body: {} },
    { name: 'the same, open ones', token: ofLarge, body: { taskStates: ['TASK_STATE_OPEN'], myWorkUserIds: [large] } },
    { name: 'somebody without tasks', token: ofStranger, body: {} },
    { name: "somebody without tasks, for others'", token: ofStranger, body: { assigneesInIds: [large] } },
  ];
}

/** Lists search texts: nothing, what all have, what a part has, what few have, what nothing has. */
function listTexts(world: World): string[] {
  const { accounts, people } = world.size;
  return ['', 'acct-', 'smith admin', `acct-${accounts - 3}`, `person${people - 7}@`, 'resource-77', 'no such words', '9q'];
}

interface Timed {
  readonly name: string;
  readonly typical: number;
}

async function time(world: World, viewer: TaskViewer, name: string, body: object, times: number): Promise<Timed> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) {
    const begun = performance.now();
    await askTasks(world, viewer, body);
    taken.push(performance.now() - begun);
  }
  return { name: `${viewer.name}, ${name}`, typical: median(taken) };
}

/** The token of the page so many pages on, or of the last that another one follows. */
async function follow(world: World, viewer: TaskViewer, body: object, pages: number): Promise<string> {
  let pageToken = '';
  for (let page = 0; page < pages; page++) {
    const next = (await askTasks(world, viewer, { ...body, pageToken })).nextPageToken ?? '';
    if (next === '') {
      break;
    }
    pageToken = next;
  }
  return pageToken;
}

/** Each viewer's slowest page within 50 ms. */
export const measureTaskPages: Figure = async function* (open, { isShort }) {
  const world = await open();
  const [times, pages] = isShort ? [shortTimesEach, shortPagesDeep] : [timesEach, pagesDeep];
  for (const viewer of await makeViewers(world)) {
    const timed: Timed[] = [];
    for (const order of orders) {
      const sortBy = `TASK_SEARCH_SORT_BY_${order}`;
      const sorted = `by ${order.toLowerCase()}`;
      for (const query of listTexts(world)) {
        timed.push(await time(world, viewer, `${sorted}, ${query === '' ? 'no text' : `"${query}"`}`, { sortBy, query }, times));
      }
      const pageToken = await follow(world, viewer, { sortBy }, pages);
      timed.push(await time(world, viewer, `${sorted}, ${pages} pages on`, { sortBy, pageToken }, times));
    }
    timed.sort((a, b) => b.typical - a.typical);
    for (const { name, typical } of timed.filter((one) => one.typical > toldMilliseconds)) {
      console.error(`  ${typical.toFixed(1)} ms: ${name}`);
    }
    const slowest = timed[0] ?? { name: '', typical: 0 };
    const title = `pages of tasks, ${timed.length} searches; the slowest, its median: ${slowest.name}`;
    const ratio = slowest.typical / limitMilliseconds;
    yield atMost(1, { title, ours: `${slowest.typical.toFixed(1)} ms`, peer: `${limitMilliseconds} ms`, ratio }, 'of 50 ms');
  }
};
