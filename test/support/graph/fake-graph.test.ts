/** The fake of Microsoft Graph refuses what the documentation does not allow, so that nothing is tested against a server that takes all. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeGraph, startFakeGraph } from './fake-graph.ts';
import { usualApp } from './fetch-entra.ts';
import { guid, tenantOf } from './tenant.ts';

let fake: FakeGraph;
let at: string;
let token: string;
const ask = async (
  path: string,
  init: { readonly headers?: Record<string, string>; readonly method?: string; readonly body?: string } = {},
) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
  return (await fetch(`${at}/v1.0${path}`, { ...init, headers })).status;
};

beforeAll(async () => {
  fake = await startFakeGraph({ tenant: tenantOf({ groups: [{ id: guid(3, 1), members: [] }] }), app: usualApp });
  at = fake.standIns.get('https://graph.microsoft.com') ?? '';
  const { tenantId, clientId, secret = '' } = usualApp;
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    scope: 'https://graph.microsoft.com/.default',
  };
  const answer = await fetch(`${at}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
});
afterAll(() => fake.close());

it.each([
  ['/users?$top=999', 200],
  ['/users?$top=1000', 400],
  ['/users?$select=id,signInActivity&$top=500', 200],
  ['/users?$select=id,signInActivity&$top=501', 400],
  ['/users?$select=id,noSuchProperty', 400],
  ['/users?$expand=manager($select=id)', 200],
  ['/users?$expand=directReports', 400],
  ['/users?$filter=id eq 1', 400],
  ['/groups?$expand=members', 400],
  ['/roleManagement/directory/roleAssignments?$top=10', 400],
  [`/groups/${guid(3, 9)}/members`, 404],
  ['/nothing', 400],
] as const)('%s is answered by %i', async (path, status) => {
  expect(await ask(path)).toBe(status);
});

it('wants the header ConsistencyLevel to count, and takes none to expand', async () => {
  const headers = { consistencylevel: 'eventual' };
  expect([await ask('/users/$count'), await ask('/users/$count', { headers })]).toEqual([400, 200]);
  expect(await ask('/users?$expand=manager', { headers })).toBe(400);
});

it('takes batches of 20, each request with its own id', async () => {
  const batch = (ids: readonly string[], url = '/users'): string =>
    JSON.stringify({ requests: ids.map((id) => ({ id, method: 'GET', url })) });
  const ids = Array.from({ length: 21 }, (_, number) => String(number));
  const statuses = [];
  for (const body of [
    batch(ids.slice(0, 20)),
    batch(ids),
    batch(['1', '1']),
    batch([]),
    batch(['1'], 'https://graph.microsoft.com/v1.0/users'),
  ]) {
    statuses.push(await ask('/$batch', { method: 'POST', body }));
  }
  expect(statuses).toEqual([200, 400, 400, 400, 400]);
});

it('wants a token of its own', async () => {
  expect(await ask('/users', { headers: { authorization: 'Bearer other' } })).toBe(401);
});
