/** Pages of SCIM over HTTP: 10,000 users (500 in the usual suite) to their end, by pages of any size, beside other requests; bounds; attributes that are asked for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { isLong, runs } from '../support/runs.ts';
import { connectScim, type ScimClient, urn } from '../support/scim.ts';
import { addCrowd } from '../support/scim-crowd.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const total = runs(500, 10_000);
let server: TestServer;
let scim: ScimClient;
let ids: string[];
beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Large');
  ids = await addCrowd(server, scim, 'p', total - 1);
  // Users of others, and groups, are in none of the pages.
  await (await connectScim(server, 'Small')).addUser('p1');
  await scim.addGroup('Some', ids.slice(0, 3));
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

const page = (startIndex: number, count: number, more = '') => scim.ok('GET', `/Users?startIndex=${startIndex}&count=${count}${more}`);

/** All pages in order, each beginning where the one before ended. */
async function readAll(count: number, more = '', onPage: (startIndex: number) => Promise<unknown> = async () => {}): Promise<Loose[]> {
  const found: Loose[] = [];
  for (let startIndex = 1; ; startIndex = found.length + 1) {
    const { Resources, itemsPerPage, totalResults, startIndex: told } = await page(startIndex, count, more);
    expect([told, itemsPerPage]).toEqual([startIndex, Resources.length]);
    found.push(...Resources);
    if (found.length >= totalResults || Resources.length === 0) {
      return found;
    }
    await onPage(startIndex);
  }
}

describe('many users', () => {
  it('are read to the end, every one of them once', async () => {
    const started = performance.now();
    const found = await readAll(200);
    const took = performance.now() - started;
    expect(found).toHaveLength(total);
    expect(found.map((one) => one.id)).toEqual(ids);
    expect(new Set(found.map((one) => one.userName)).size).toBe(total);
    expect(found[17]).toMatchObject({
      schemas: [urn.user],
      meta: { resourceType: 'User', location: `${server.url}/scim/v2/Users/${ids[17]}` },
    });
    expect(found[1].groups).toMatchObject([{ display: 'Some', type: 'direct' }]);
    // 50 pages; a second or so on a machine with nothing else to do.
    expect(took).toBeLessThan(20_000);
  });

  it.runIf(isLong)('are read by a filter that all of them meet, and one that few do', async () => {
    const all = await readAll(200, `&attributes=userName&filter=${encodeURIComponent('emails[type eq "work"] and title eq "clerk"')}`);
    expect(all.map((one) => one.id)).toEqual(ids);
    const some = await readAll(10, `&attributes=id&filter=${encodeURIComponent('userName ew "77"')}`);
    expect(some).toHaveLength(100);
    expect(new Set(some.map((one) => one.id)).size).toBe(100);
    const one = await scim.ok('GET', `/Users?filter=${encodeURIComponent('userName eq "P4711"')}`);
    expect([one.totalResults, one.Resources[0].userName]).toEqual([1, 'p4711']);
  });

  it.runIf(isLong)('are read while others come: those come at the end', async () => {
    const late: string[] = [];
    try {
      const found = await readAll(200, '&attributes=userName', async (startIndex) => {
        if (startIndex % 3000 < 200) {
          late.push(await scim.addUser(`late${late.length}`));
        }
      });
      expect(late.length).toBeGreaterThan(2);
      const names = found.map((one) => one.userName);
      expect(new Set(names).size).toBe(names.length);
      expect(found.slice(total).map((one) => one.id)).toEqual(late);
      expect(names.slice(total)).toEqual(late.map((_, index) => `late${index}`));
    } finally {
      for (const id of late) {
        await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
      }
    }
  });
});

describe('bounds', () => {
  it.each<[string, string, number, number]>([
    ['nothing asked for is the first hundred', '', 1, 100],
    ['at most 200 are answered', 'count=5000', 1, 200],
    ['an index before the first is the first', 'startIndex=-5&count=2', 1, 2],
    ['none is none, with the number of all', 'count=0', 1, 0],
    ['less than none is none', 'count=-1', 1, 0],
    ['the last page is what is left', `startIndex=${total - 1}&count=50`, total - 1, 2],
    ['behind the last is nothing', `startIndex=${total + 1}&count=50`, total + 1, 0],
    ['far behind, too', `startIndex=${Number.MAX_SAFE_INTEGER}`, Number.MAX_SAFE_INTEGER, 0],
    ['empty parameters are none', 'startIndex=&count=', 1, 100],
    ['sorting is not promised and not done', 'sortBy=userName&sortOrder=descending&count=1', 1, 1],
  ])('%s', async (_name, query, startIndex, size) => {
    const found = await scim.ok('GET', `/Users?${query}`);
    expect([found.totalResults, found.startIndex, found.itemsPerPage, found.Resources.length]).toEqual([total, startIndex, size, size]);
    expect(found.Resources.map((one: Loose) => one.id)).toEqual(ids.slice(startIndex - 1, startIndex - 1 + size));
  });

  it.each(['startIndex=x', 'count=1.5', 'count=1e99', 'startIndex=9007199254740993'])('%s is no number', async (query) => {
    const { status, body } = await scim.send('GET', `/Users?${query}`);
    expect([status, body.scimType, body.schemas]).toEqual([400, 'invalidValue', [urn.error]]);
  });

  it('hold for searches by POST', async () => {
    const found = await scim.ok('POST', '/Users/.search', { startIndex: 3, count: 2, attributes: ['id'] });
    expect(found).toMatchObject({ totalResults: total, startIndex: 3, itemsPerPage: 2 });
    expect(found.Resources).toEqual(ids.slice(2, 4).map((id) => ({ schemas: [urn.user], id })));
    for (const body of [{ count: '5' }, { startIndex: 1.5 }, { attributes: 'id' }, { attributes: [5] }, []]) {
      expect((await scim.send('POST', '/Users/.search', body)).status).toBe(400);
    }
    expect((await scim.ok('POST', '/Users/.search', { count: null, filter: null })).itemsPerPage).toBe(100);
  });
});

describe('attributes', () => {
  const get = (query: string) => scim.ok('GET', `/Users/${ids[0]}?${query}`);
  const schemas = [urn.user];

  it.each<[string, (id: string) => object]>([
    ['attributes=userName', (id) => ({ schemas, id, userName: 'p0' })],
    ['attributes=USERNAME,title', (id) => ({ schemas, id, userName: 'p0', title: 'Clerk' })],
    ['attributes=urn:ietf:params:scim:schemas:core:2.0:User:title', (id) => ({ schemas, id, title: 'Clerk' })],
    ['attributes=emails.value', (id) => ({ schemas, id, emails: [{ value: 'p0@x.example' }] })],
    ['attributes=meta.resourceType', (id) => ({ schemas, id, meta: { resourceType: 'User' } })],
    ['attributes=nothing', (id) => ({ schemas, id })],
    ['attributes=groups.display', (id) => ({ schemas, id, groups: [{ display: 'Some' }] })],
    ['excludedAttributes=meta,groups,emails,id,schemas', (id) => ({ schemas, id, userName: 'p0', title: 'Clerk' })],
    [
      'excludedAttributes=meta,groups,emails.type',
      (id) => ({ schemas, id, userName: 'p0', title: 'Clerk', emails: [{ value: 'p0@x.example' }] }),
    ],
  ])('%s', async (query, expected) => {
    expect(await get(query)).toEqual(expected(ids[0] ?? ''));
  });

  it('are those of replies to changes, too', async () => {
    const made = await scim.ok('POST', '/Users?attributes=userName', { userName: 'short', title: 'x' }, 201);
    expect(made).toEqual({ schemas, id: made.id, userName: 'short' });
    const put = await scim.ok('PUT', `/Users/${made.id}?excludedAttributes=meta`, { userName: 'short', title: 'y' });
    expect(put).toEqual({ schemas, id: made.id, userName: 'short', title: 'y' });
    await scim.ok('DELETE', `/Users/${made.id}`, undefined, 204);
  });
});
