/** Microsoft Graph that is busy, lies, or does not let the app read: nothing of such a directory is used. */
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { allPermissions, type FakeGraph, type Reply, startFakeGraph } from '../../../test/support/graph/fake-graph.ts';
import { fetchEntra, usualApp } from '../../../test/support/graph/fetch-entra.ts';
import { guid, tenantOf, user } from '../../../test/support/graph/tenant.ts';

const groupCount = 12;
const tenant = tenantOf({
  users: Array.from({ length: 45 }, (_, number) => user(number)),
  groups: Array.from({ length: groupCount }, (_, number) => ({
    id: guid(3, number),
    displayName: `G${number}`,
    groupTypes: [],
    members: [guid(1, number)],
  })),
  principals: [{ id: guid(2, 1), displayName: 'App', accountEnabled: true, servicePrincipalType: 'Application' }],
});

let fake: FakeGraph;
beforeAll(async () => {
  fake = await startFakeGraph({ tenant, app: usualApp, pageSize: 5 });
});
afterEach(() => {
  fake.change({ tenant, interfere: () => undefined, permissions: allPermissions });
  fake.forget();
});
afterAll(() => fake.close());

const busy = (retryAfter?: string): Reply => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  body: { error: { code: 'TooManyRequests', message: 'Please retry.' } },
});

/** Interferes with the first `times` requests whose path fits. */
function interfere(path: RegExp, times: number, change: (reply: Reply, path: string) => Reply): { readonly count: () => number } {
  let count = 0;
  fake.change({ interfere: (asked, reply) => (path.test(asked) && count++ < times ? change(reply, asked) : undefined) });
  return { count: () => count };
}

/** Changes members of the body of a page. */
const withBody =
  (change: (body: Record<string, unknown>) => Record<string, unknown>) =>
  (reply: Reply): Reply => ({ ...reply, body: change(reply.body as Record<string, unknown>) });

const failure = (): Promise<Error & { kind?: string; retryAfterSeconds?: number }> =>
  fetchEntra(fake).then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('a busy Graph', () => {
  it('is asked again when it wants to be, by seconds or a date', async () => {
    interfere(/^\/users\?/, 1, () => busy('3'));
    expect((await fetchEntra(fake)).waits).toEqual([3000]);
    interfere(/^\/groups\?/, 1, () => ({ ...busy(new Date(Date.now() + 280_000).toUTCString()), status: 503 }));
    const { waits } = await fetchEntra(fake);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(200_000);
  });

  it('is left to the next fetch where it wants a long time', async () => {
    interfere(/^\/users\?/, 1, () => busy('3600'));
    expect(await failure()).toMatchObject({
      kind: 'UNREACHED',
      retryAfterSeconds: 3600,
      message: 'Reading users failed: Microsoft Graph answered 429.',
    });
  });

  it('fails the fetch when page 7 of 9 failed five times', async () => {
    const asked = interfere(/^\/users.*skiptoken=30/, 99, () => ({ ...busy(), status: 504 }));
    const waits: number[] = [];
    const failed = await fetchEntra(fake, {}, undefined, { pause: (ms) => Promise.resolve(void waits.push(ms)) }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ kind: 'UNREACHED', message: 'Reading users failed 5 times: Microsoft Graph answered 504.' });
    expect([asked.count(), waits]).toEqual([5, [1000, 2000, 4000, 8000]]);
  });

  it('may throttle some of a batch: those alone are asked again, after the longest wait', async () => {
    interfere(/^\/groups\/.*\/members/, 7, (_, path) => busy(path.includes('000000000003') ? '9' : '2'));
    const { grants, waits } = await fetchEntra(fake);
    expect(waits).toEqual([9000]);
    expect(grants.filter(({ resource_type: type, account }) => type === 'group' && account !== undefined)).toHaveLength(groupCount);
    expect(fake.asked.filter((path) => /\/members/.test(path))).toHaveLength(groupCount + 7);
    expect(fake.asked.filter((path) => /\/owners/.test(path))).toHaveLength(groupCount);
  });

  it('fails the fetch when one of a batch failed five times', async () => {
    interfere(/000000000007\/members/, 99, () => busy('0'));
    expect(await failure()).toMatchObject({ message: 'Reading the members of groups failed 5 times: Microsoft Graph answered 429.' });
  });

  it('may forget a token once', async () => {
    interfere(/^\/groups\?/, 1, () => ({ status: 401, headers: {}, body: {} }));
    expect((await fetchEntra(fake)).people).toHaveLength(45);
    expect(fake.asked.filter((path) => path === 'token')).toHaveLength(2);
    interfere(/^\/groups\?/, 99, () => ({ status: 401, headers: {}, body: {} }));
    expect(await failure()).toMatchObject({ kind: 'REFUSED', message: expect.stringContaining('does not take the token') });
  });
});

describe('a lie', () => {
  it.each([
    'https://graph.microsoft.com.evil.example/v1.0/users?$skiptoken=1',
    'https://evil.example/v1.0/users',
    'http://graph.microsoft.com/v1.0/users?$skiptoken=1',
    'https://graph.microsoft.com/beta/users?$skiptoken=1',
    'https://graph.microsoft.com@evil.example/v1.0/users',
    '/v1.0/users?$skiptoken=1',
  ])('of a next page elsewhere is not followed: %s', async (next) => {
    interfere(
      /^\/users\?/,
      1,
      withBody((body) => ({ ...body, '@odata.nextLink': next })),
    );
    expect(await failure()).toMatchObject({
      kind: 'UNREACHED',
      message: expect.stringContaining('outside https://graph.microsoft.com/v1.0'),
    });
    expect(fake.asked).toHaveLength(2);
  });

  it('of pages in a circle ends', async () => {
    interfere(
      /^\/users\?.*skiptoken=20/,
      99,
      withBody((body) => ({ ...body, '@odata.nextLink': 'https://graph.microsoft.com/v1.0/users?$select=id&$skiptoken=10' })),
    );
    expect(await failure()).toMatchObject({ message: 'Reading users failed: the pages of Microsoft Graph lead in a circle.' });
  });

  it('of pages without anything ends', async () => {
    let page = 0;
    interfere(
      /^\/users\?/,
      9_999,
      withBody(() => ({ value: [], '@odata.nextLink': `https://graph.microsoft.com/v1.0/users?$skiptoken=${page++}` })),
    );
    expect(await failure()).toMatchObject({ message: 'Reading users failed: the pages of Microsoft Graph lead in a circle.' });
    expect(page).toBeLessThan(110);
  });

  it('of an empty page before others is none', async () => {
    interfere(
      /^\/users\?(?!.*skiptoken)/,
      1,
      withBody(() => ({ value: [], '@odata.nextLink': 'https://graph.microsoft.com/v1.0/users?$select=id,mail&$skiptoken=0' })),
    );
    expect((await fetchEntra(fake)).people).toHaveLength(45);
  });

  it('of a list that is none fails, and text that is no JSON is asked for again', async () => {
    interfere(/^\/groups\?/, 1, (reply) => ({ ...reply, body: '<html>' }));
    expect((await fetchEntra(fake)).waits).toEqual([1000]);
    for (const body of [{}, { value: {} }, { value: [1] }, { value: [], '@odata.nextLink': 7 }]) {
      interfere(/^\/groups\?/, 1, (reply) => ({ ...reply, body }));
      expect(await failure()).toMatchObject({ message: expect.stringContaining('what is no page of a list') });
    }
  });

  it('of a batch that lacks answers is asked again for them, and never for others', async () => {
    const cut = withBody(({ responses }) => {
      const all = responses as { id: string }[];
      return { responses: [...all.slice(3), all[5], { id: '77', status: 200, body: { value: [] } }, { id: 5, status: 200 }, null] };
    });
    interfere(/^\/\$batch$/, 1, cut);
    const { grants } = await fetchEntra(fake);
    expect(grants.filter(({ resource_type: type, account }) => type === 'group' && account !== undefined)).toHaveLength(groupCount);
    interfere(/^\/\$batch$/, 99, cut);
    expect(await failure()).toMatchObject({ message: expect.stringMatching(/failed 5 times: Microsoft Graph left an answer out/) });
  });

  it.each(['users', 'groups', 'servicePrincipals'])('of %s that were left out is counted', async (collection) => {
    interfere(new RegExp(`^/${collection}/\\$count`), 1, (reply) => ({ ...reply, body: '49' }));
    expect(await failure()).toMatchObject({ kind: 'HALF', message: expect.stringContaining('and a moment later there are 49') });
  });

  it('of a last page that is not the last is counted', async () => {
    interfere(
      /^\/users\?.*skiptoken=10/,
      1,
      withBody(({ value }) => ({ value })),
    );
    expect(await failure()).toMatchObject({
      kind: 'HALF',
      message: expect.stringContaining('15 were read, and a moment later there are 45'),
    });
  });

  it('of nobody who administers the directory is one', async () => {
    fake.change({ tenant: { ...tenant, assigned: [] } });
    expect(await failure()).toMatchObject({ message: expect.stringContaining('no directory is without an administrator') });
  });

  it('of groups that are gone is believed for a few', async () => {
    const gone: Reply = { status: 404, headers: {}, body: { error: { code: 'Request_ResourceNotFound', message: 'Gone.' } } };
    interfere(/^\/groups\/.*\/members/, 2, () => gone);
    expect((await fetchEntra(fake)).facts.warnings).toEqual(['Lists of groups and applications that were gone while they were read: 2.']);
    interfere(/^\/groups\/.*\/members/, 8, () => gone);
    expect(await failure()).toMatchObject({ kind: 'HALF', message: expect.stringContaining('8 groups and applications were gone') });
  });
});

describe('an app without a permission', () => {
  it.each(['User.Read.All', 'GroupMember.Read.All', 'Application.Read.All', 'RoleManagement.Read.Directory'])(
    'hears which: %s',
    async (permission) => {
      fake.change({ permissions: allPermissions.filter((one) => one !== permission) });
      expect(await failure()).toMatchObject({
        kind: 'REFUSED',
        message: expect.stringContaining(
          `give it the application permission ${permission}, with admin consent. Microsoft says: Authorization_RequestDenied`,
        ),
      });
    },
  );

  it('for sign-ins reads everything else', async () => {
    fake.change({ permissions: allPermissions.filter((one) => one !== 'AuditLog.Read.All') });
    const { grants, facts } = await fetchEntra(fake);
    expect(grants.some(({ account_used_at: used }) => used !== undefined)).toBe(false);
    expect(facts.warnings).toEqual([
      'Last sign-ins are unknown: the app lacks the permission AuditLog.Read.All, or the directory its licence (P1).',
    ]);
  });

  it('of properties that Graph does not know hears it', async () => {
    await expect(fetchEntra(fake, { attributes: ['shoeSize'] })).rejects.toMatchObject({
      kind: 'SETTINGS',
      message: expect.stringContaining("Could not find a property named 'shoeSize'"),
    });
  });
});

it('ends when the fetch is not wanted any more', async () => {
  const left = new AbortController();
  interfere(/^\/groups\?/, 99, () => busy('30'));
  const pause = (): Promise<void> => {
    left.abort(new Error('paused'));
    return Promise.resolve();
  };
  await expect(fetchEntra(fake, {}, undefined, { signal: left.signal, pause })).rejects.toThrow('paused');
});
