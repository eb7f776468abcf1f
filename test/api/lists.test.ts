/**
 * Specification 4.3 and 8 for every operation that answers page by page, found in the contract: sizes, both placements and spellings, page
 * tokens, the end, and what comes and goes while somebody pages. Which rows a list shows is tested where its module is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Answer, type Loose, violatedFields } from '../support/api.ts';
import { listOperations, type Operation, type Sample, sampleOf, send } from '../support/operations.ts';
import { sampleField } from '../support/sample-message.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';
import { sampled } from '../support/runs.ts';

/** Ten at most, and no page behind them, so that nobody reads the whole directory there: my-affairs.test.ts. */
const withoutPages = 'MyDelegateService.search';
const lists = (await listOperations()).filter(({ isList, name }) => isList && name !== withoutPages);
const named = lists.map((operation) => [operation.name, operation] as const);
/** Lists whose rows cannot exceed one page here, and how many they have: there are five roles and two attribute types, the
 * review is of one app, and its people are in no department. */
const short = new Map([
  ['RoleService.list', 5],
  ['AttributeService.listAttributeTypes', 2],
  // Credentials of accounts are in no file that is taken in.
  ['AppUserService.listAppUserCredentials', 0],
  ['ReviewProgressService.listApps', 1],
  ['ReviewProgressService.listDepartments', 1],
]);
/** Whole where neither size nor token is sent, because public clients know no token there: docs/compatibility.md. */
const wholeByDefault = new Set([
  'AccessReviewSetupEntitlementAndScopeService.getCampaignScopeAndEntitlements',
  'AccessReviewTemplateSetupEntitlementService.getScopeAndEntitlements',
  'PersonalClientService.list',
  'ServicePrincipalService.list',
  'ServicePrincipalService.listCredentials',
]);
/** The system log grows by itself; these rows are compared by their order alone. */
const growing = new Set(['SystemLogService.listEvents']);

describe('lists', () => {
  let server: TestServer;
  let world: World;
  const samples = new Map<string, Sample>();

  const ask = async (operation: Operation, fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    const sample = samples.get(operation.name) ?? (await sampleOf(operation, world, server.admin));
    samples.set(operation.name, sample);
    return send(server, server.admin, operation, { ...sample, fields: { ...sample.fields, ...fields } });
  };
  const page = async (operation: Operation, fields: Readonly<Record<string, unknown>> = {}): Promise<Loose> => {
    const answer = await ask(operation, fields);
    expect([operation.name, fields, answer.status]).toEqual([operation.name, fields, 200]);
    expect(Array.isArray(answer.body.list)).toBe(true);
    expect(typeof answer.body.nextPageToken).toBe('string');
    return answer.body;
  };
  // A link says until when it is good, which is later the later one asks.
  const rows = (body: Loose): string[] =>
    body.list.map((row: unknown) => JSON.stringify(row).replace(/\?expires=\d+&signature=[\w-]+/, ''));
  const all = async (
    operation: Operation,
    size: number,
    spelling: readonly [string, string] = ['page_size', 'page_token'],
  ): Promise<string[]> => {
    const found: string[] = [];
    let token = '';
    do {
      const body = await page(operation, { [spelling[0]]: size, [spelling[1]]: token });
      found.push(...rows(body));
      expect(body.list.length).toBeLessThanOrEqual(size);
      expect(body.nextPageToken === '' || body.list.length === size).toBe(true);
      token = body.nextPageToken;
    } while (token !== '');
    return found;
  };

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
  });
  afterAll(() => server.stop());

  it('are all the operations that answer with a next page token', async () => {
    const odd = (await listOperations())
      .filter(({ desc, isList }) => !isList && desc.output.fields.some(({ name }) => name === 'next_page_token'))
      .map(({ name }) => name);
    // They answer what was set, whole, and share the reply of the list.
    expect(odd).toEqual([
      'AccessReviewSetupEntitlementAndScopeService.setCampaignScopeAndEntitlements',
      'AccessReviewTemplateSetupEntitlementService.setScopeAndEntitlements',
      // Its pages are large, and say more than rows.
      'ReviewQueueService.readQueue',
    ]);
    for (const { desc } of lists) {
      expect(desc.input.fields.map(({ name }) => name)).toContain('page_token');
      expect(desc.output.fields.map(({ name }) => name)).toContain('list');
    }
  });

  it.each(sampled(named, 10))('%s: 25 where nothing is said, 10 to 100 whatever is said', async (name, operation) => {
    const total = (await page(operation, { page_size: 100 })).list.length;
    const expectLength = async (fields: Readonly<Record<string, unknown>>, size: number) => {
      expect([fields, (await page(operation, fields)).list.length]).toEqual([fields, Math.min(size, total)]);
    };
    expect(total).toBeGreaterThanOrEqual(short.get(name) ?? 11);
    if (!wholeByDefault.has(name)) {
      await expectLength({}, 25);
      await expectLength({ page_token: '' }, 25);
    }
    for (const [sent, size] of [
      [10, 10],
      [11, 11],
      [25, 25],
      [100, 100],
      [9, 10],
      [1, 10],
      [0, 10],
      [-1, 10],
      [-2147483649, 10],
      [101, 100],
      [2147483648, 100],
      ['12', 12],
    ] as const) {
      await expectLength({ page_size: sent }, size);
      await expectLength({ pageSize: sent }, size);
    }
    for (const wrong of ['ten', '', '1.5', '1e1', ' 10', 'NaN', '0x10', '10,5']) {
      const answer = await ask(operation, { page_size: wrong });
      expect([wrong, answer.status, violatedFields(answer)]).toEqual([wrong, 400, ['pageSize']]);
    }
    if (contractRoute(operation.desc).hasBody) {
      for (const wrong of [1.5, true, [10], { a: 1 }]) {
        expect([wrong, (await ask(operation, { pageSize: wrong })).status]).toEqual([wrong, 400]);
      }
      await expectLength({ pageSize: null, page_token: null }, 25);
      expect((await ask(operation, { page_size: 10, pageSize: 20 })).status).toBe(400);
      expect((await ask(operation, { pageToken: 5 })).status).toBe(400);
    }
  });

  it.each(sampled(named, 10))(
    '%s: every row once, the same in pages of any size and in both spellings, and an empty token at the end',
    async (name, operation) => {
      const inTens = await all(operation, 10);
      const whole = await all(operation, 100, ['pageSize', 'pageToken']);
      expect(new Set(inTens).size).toBe(inTens.length);
      if (growing.has(name)) {
        expect(whole.slice(0, inTens.length)).toEqual(inTens);
      } else {
        expect(whole).toEqual(inTens);
        expect(await all(operation, 11)).toEqual(inTens);
      }
    },
  );

  it.each(
    sampled(
      named.filter(([name]) => !short.has(name)),
      10,
    ),
  )('%s: the token is opaque and good for this list alone', async (_name, operation) => {
    const { nextPageToken: token } = await page(operation, { page_size: 10 });
    expect(token).toMatch(/^[A-Za-z0-9_-]{20,}$/);
    const inside = Buffer.from(token, 'base64url').toString('latin1');
    expect(inside).not.toMatch(/[0-9A-Za-z]{27}/);
    const middle = Math.floor(token.length / 2);
    const turned = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
    const wrong = [
      turned,
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `${token}=`,
      token.toLowerCase(),
      token + token,
      'x',
      '.',
      'null',
      '0',
      ' ',
      'A'.repeat(5000),
    ];
    for (const sent of wrong) {
      const answer = await ask(operation, { page_size: 10, page_token: sent });
      expect([sent, answer.status]).toEqual([sent, 400]);
      expect(violatedFields(answer)[0]).toMatch(/^page_?[tT]oken$/);
    }
    // Another size and another way to expand are allowed.
    expect((await page(operation, { page_size: 20, page_token: token })).list.length).toBeGreaterThan(0);
    for (const other of lists.filter((one) => one !== operation)) {
      expect([other.name, (await ask(other, { page_size: 10, page_token: token })).status]).toEqual([other.name, 400]);
    }
  });

  it('binds a token to its path and to each field of its filter', async () => {
    const bound: [string, Sample][] = [
      ['AppEntitlementService.list', { path: { app_id: world.otherAppId } }],
      ['AppUserService.list', { path: { app_id: world.otherAppId } }],
      ['TaskService.search', { fields: { accessReviewIds: [world.openId], taskStates: ['TASK_STATE_OPEN'] } }],
      ['TaskService.search', { fields: {} }],
      ['UserService.search', { fields: { query: 'Person' } }],
      ['AppService.search', { fields: { query: 'App' } }],
      ['PolicyService.search', { fields: { query: 'Some' } }],
      ['AppResourceService.searchAppResources', { fields: { appIds: [world.appId], direction: 'SORT_DIRECTION_DESC' } }],
      ['AppService.searchUserOwnership', { fields: { userId: world.userId, ownershipTypes: ['USER_OWNERSHIP_TYPE_RESOURCE'] } }],
      ['AppUserService.search', { fields: { appIds: [world.appId], query: 'a' } }],
      ['AppEntitlementSearchService.search', { fields: { appIds: [world.appId], query: 'e' } }],
      ['SystemLogService.listEvents', { fields: { sortDirection: 'SORT_DIRECTION_DESC' } }],
      ['AccessReviewReportService.list', { path: { access_review_id: world.draftId } }],
      ['ReviewSubmissionService.listSubmissions', { path: { access_review_id: world.draftId } }],
      ['TaskService.list', { fields: { taskId: world.taskIds[1] } }],
    ];
    for (const [name, other] of bound) {
      const operation = lists.find((one) => one.name === name);
      if (operation === undefined) {
        throw new Error(`there is no list ${name}`);
      }
      const { nextPageToken } = await page(operation, { page_size: 10 });
      const answer = await send(server, server.admin, operation, {
        ...other,
        fields: { ...other.fields, page_size: 10, page_token: nextPageToken },
      });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  it.each(
    sampled(
      named.filter(([name]) => !short.has(name)),
      10,
    ),
  )('%s: a token is good for no other filter, whichever it is', async (name, operation) => {
    const { nextPageToken } = await page(operation, { page_size: 10 });
    const { parameters } = contractRoute(operation.desc);
    const sent = samples.get(name)?.fields ?? {};
    const filters = operation.desc.input.fields.filter(
      ({ name: field, jsonName }) => !parameters.includes(field) && !['pageSize', 'pageToken', 'expandMask'].includes(jsonName),
    );
    for (const field of filters) {
      const value = field.jsonName in sent ? undefined : sampleField(field, {});
      const answer = await ask(operation, { page_size: 10, page_token: nextPageToken, [field.jsonName]: value });
      expect([field.jsonName, answer.status]).toEqual([field.jsonName, 400]);
      expect(violatedFields(answer)[0]).toMatch(/^page_?[tT]oken$/);
    }
  });

  it('refuses a parameter given twice, and takes GET parameters from the query and POST ones from the body alone', async () => {
    for (const operation of lists) {
      const { verb, template } = contractRoute(operation.desc);
      const sample = samples.get(operation.name);
      const path = template.replace(/\{([a-z0-9_]+)\}/g, (_all, parameter: string) => sample?.path?.[parameter] ?? '');
      if (verb === 'GET') {
        for (const query of ['page_size=10&page_size=20', 'page_size=10&pageSize=10', 'page_token=&page_token=x']) {
          expect([path, query, (await world.call(server.admin, 'GET', `${path}?${query}`)).status]).toEqual([path, query, 400]);
        }
        expect((await world.call(server.admin, 'GET', `${path}?unknown=1&page_size=10`)).status).toBe(200);
      } else {
        const { body, status } = await world.call(server.admin, 'POST', `${path}?page_size=100`, { ...sample?.fields });
        expect(status).toBe(200);
        expect(body.list.length).toBeLessThanOrEqual(25);
      }
    }
  });

  it('shows each row that was there all the time exactly once, whatever comes and goes between pages', async () => {
    const operation = lists.find(({ name }) => name === 'AppService.list');
    if (operation === undefined) {
      throw new Error('there is no list of apps');
    }
    const make = async (name: string): Promise<string> =>
      (await world.call(server.admin, 'POST', '/api/v1/apps', { displayName: name })).body.app.id;
    const ids: string[] = [];
    for (let number = 0; number < 40; number++) {
      ids.push(await make(`Stable ${number}`));
    }
    const seen: string[] = [];
    const deleted: string[] = [];
    let token = '';
    do {
      const body = await page(operation, { page_size: 10, page_token: token });
      seen.push(...body.list.map(({ id }: Loose) => id));
      token = body.nextPageToken;
      // The last row shown, one not yet shown, and a new one.
      for (const id of [body.list.at(-1).id, ids.findLast((one) => !seen.includes(one) && !deleted.includes(one))]) {
        if (id !== undefined && ids.includes(id) && !deleted.includes(id)) {
          await world.call(server.admin, 'DELETE', `/api/v1/apps/${id}`);
          deleted.push(id);
        }
      }
      if (seen.length < 60) {
        await make(`New ${seen.length}`);
      }
    } while (token !== '');
    expect(new Set(seen).size).toBe(seen.length);
    expect(deleted.length).toBeGreaterThan(4);
    for (const id of ids.filter((one) => !deleted.includes(one))) {
      expect(seen).toContain(id);
    }
  });
});
