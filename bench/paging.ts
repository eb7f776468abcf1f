/**
 * Figure: how long a page takes deep in a list, beside its first page. Pages are reached the way clients reach them, by the token of the one
 * before.
 */
import { atMost, type Figure, type FigureResult, median } from './figure.ts';
import type { World } from './data/world.ts';

const [timesEach, shortTimesEach] = [200, 50];

type Page = (token: string, size: number) => Promise<{ nextPageToken?: string; list?: unknown[] }>;

/** The token of page `number`, counted from 1, of pages of `size`; reached in strides of 100 rows. */
async function walk(page: Page, number: number, size: number): Promise<string> {
  let token = '';
  for (let rows = (number - 1) * size; rows > 0; ) {
    const step = rows >= 100 ? 100 : size;
    token = (await page(token, step)).nextPageToken ?? '';
    rows -= step;
    if (token === '') {
      throw new Error('the list ended before the page');
    }
  }
  return token;
}

async function measure(title: string, page: Page, number: number, size: number, times: number): Promise<FigureResult> {
  const deep = await walk(page, number, size);
  const taken = { first: [] as number[], deep: [] as number[] };
  const time = async (token: string): Promise<number> => {
    const begun = performance.now();
    const { list } = await page(token, size);
    if (list?.length !== size) {
      throw new Error(`a page of ${list?.length} rows`);
    }
    return performance.now() - begun;
  };
  for (let n = 0; n < times; n++) {
    taken.first.push(await time(''));
    taken.deep.push(await time(deep));
  }
  const [first, last] = [median(taken.first), median(taken.deep)];
  return atMost(
    1.3,
    { title, ours: `${last.toFixed(2)} ms`, peer: `${first.toFixed(2)} ms (page 1)`, ratio: last / first },
    'times page 1',
  );
}

async function ask(world: World, path: string, body?: object): Promise<{ nextPageToken?: string; list?: unknown[] }> {
  const response = await fetch(world.server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${await world.server.admin.token()}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as { nextPageToken?: string; list?: unknown[] };
}

/** Page 10,000 at most 1.3 times page 1; with fewer rows, the last full page. */
export const measurePaging: Figure = async (open, { isShort }) => {
  const times = isShort ? shortTimesEach : timesEach;
  const world = await open();
  await world.started();
  const accessReviewIds = [await world.reviewId()];
  const path = `/api/v1/apps/${await world.appId()}/app_users`;
  const tasks: Page = (pageToken, pageSize) => ask(world, '/api/v1/search/tasks', { accessReviewIds, pageSize, pageToken });
  const selections: Page = (token, size) =>
    ask(world, `/api/v1/access_review/${accessReviewIds[0]}/selections?page_size=${size}&page_token=${encodeURIComponent(token)}`);
  const accounts: Page = (token, size) => ask(world, `${path}?page_size=${size}&page_token=${encodeURIComponent(token)}`);
  const pages = (rows: number, size: number): number => Math.min(10_000, Math.floor(rows / size));
  const name = (what: string, rows: number, size: number): string =>
    `page ${pages(rows, size).toLocaleString('en')} of ${what}, ${size} each`;
  const { grants, accounts: accountCount } = world.size;
  return [
    await measure(name('tasks', grants, 100), tasks, pages(grants, 100), 100, times),
    await measure(name('selections', grants, 100), selections, pages(grants, 100), 100, times),
    await measure(name('accounts', accountCount, 10), accounts, pages(accountCount, 10), 10, times),
  ];
};
