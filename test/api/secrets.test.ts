/**
 * Content never to stand in a log line, an event, a metric or another reply: tokens of identity providers, secrets of programs, and what the files
 * said that came in. Secrets of people and their tokens are in hostile-http.long.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Logger } from '../../src/context.ts';
import { type Loose, request } from '../support/api.ts';
import { connectScim, patch, sendScim, urn } from '../support/scim.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const logged: string[] = [];
/** Errors with all they carry: what a logger that writes everything would write. */
const open = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
const write = (level: string) => (fields: unknown, message?: string) =>
  void logged.push(`${level} ${message} ${JSON.stringify(fields, open)}`);
const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => log } as Logger;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ log });
});
afterAll(() => server.stop());

const admin = (method: string, path: string, body?: unknown): Promise<{ status: number; body: Loose }> =>
  request(server, server.admin, method, path, body);
const upload = (path: string, file: string | Buffer, encoding?: string): Promise<{ status: number; body: Loose }> =>
  sendFile(server, server.admin, `/api/v1/imports/${path}`, file, encoding);
const grantsHeader = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';

async function collectEvents(): Promise<string> {
  const rows = await server.test.admin('SELECT to_jsonb(e)::text AS text FROM events e WHERE tenant_id = $1', [server.id]);
  return rows.map(({ text }) => String(text)).join('\n');
}

const metrics = async (): Promise<string> => (await server.fetch('/metrics')).text();

/** Everything the database keeps outside of the tables named, as text. */
async function collectTables(except: readonly string[]): Promise<string> {
  const tables = await server.test.admin(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'countersign'::regnamespace AND relkind = 'r' AND relname <> ALL ($1)`,
    [except],
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    for (const row of await server.test.admin(`SELECT to_jsonb(t)::text AS text FROM ${name} t`)) {
      texts.push(String(row['text']));
    }
  }
  return texts.join('\n');
}

it('the token of an identity provider, good or wrong, and passwords it pushes stand nowhere', async () => {
  const provider = await connectScim(server, 'Provider');
  const password = `pass-${randomUUID()}`;
  const id = await provider.addUser('pushed', { password });
  await provider.send('PUT', `/Users/${id}`, { schemas: [urn.user], userName: 'pushed', password });
  await provider.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'password', value: password }));
  await provider.send('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { password, title: 'Clerk' } }));
  const filtered = await provider.send('GET', `/Users?${new URLSearchParams({ filter: `password eq "${password}"` })}`);
  expect(filtered.status).toBeGreaterThanOrEqual(400);
  const wrong = `${provider.token.slice(0, -8)}AAAAAAAA`;
  await sendScim(server, wrong, 'GET', '/Users');
  await sendScim(server, `x${provider.token}`, 'GET', '/Users');
  await server.fetch(`/scim/v2/Users?access_token=${provider.token}`);
  await server.fetch('/api/v1/apps', { headers: { authorization: `Bearer ${provider.token}` } });
  await provider.send('POST', '/Users', `{"schemas": ["${provider.token}`);
  const replies = [
    await admin('GET', `/api/v1/apps/${provider.appId}/connectors/${provider.connectorId}`),
    await admin('GET', `/api/v1/apps/${provider.appId}/connectors`),
    await admin('GET', '/api/v1/sources'),
    await provider.send('GET', `/Users/${id}`),
    await provider.send('GET', '/Users'),
  ].map(({ body }) => JSON.stringify(body));
  // Failed attempts become events after a while.
  await expect.poll(collectEvents, { timeout: 60_000 }).toContain('the SCIM token is not valid');
  const places = {
    logged: logged.join('\n'),
    events: await collectEvents(),
    tables: await collectTables([]),
    replies: replies.join('\n'),
    metrics: await metrics(),
  };
  for (const secret of [provider.token, provider.token.split('.')[1] ?? '', wrong.slice(-30), password]) {
    for (const [where, text] of Object.entries(places)) {
      expect([where, text.includes(secret)]).toEqual([where, false]);
    }
  }
  expect(places.events).toContain('connector.scim_token_created');
});

it('the secret of a program and its tokens stand nowhere', async () => {
  const made = await admin('POST', '/api/v1/service_principals', { displayName: 'Watched program' });
  const principalId: string = made.body.servicePrincipal.id;
  const given = await admin('POST', `/api/v1/service_principals/${principalId}/credentials`, { displayName: 'Key' });
  const { clientSecret, credential } = given.body;
  expect(clientSecret).toMatch(/^secret-token:/);
  const ask = (secret: string): Promise<Response> =>
    server.fetch('/auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: credential.clientId, client_secret: secret }).toString(),
    });
  const { access_token: token } = (await (await ask(clientSecret)).json()) as { access_token: string };
  expect((await ask(`${clientSecret.slice(0, -6)}AAAAAA`)).status).toBeGreaterThanOrEqual(400);
  await server.fetch('/api/v1/apps', { headers: { authorization: `Bearer ${token}` } });
  await server.fetch('/api/v1/apps', { headers: { authorization: `Bearer ${token}x` } });
  const replies = [
    await admin('GET', `/api/v1/service_principals/${principalId}/credentials`),
    await admin('GET', `/api/v1/service_principals/${principalId}/credentials/${credential.id}`),
    await admin('PATCH', `/api/v1/service_principals/${principalId}/credentials/${credential.id}`, {
      credential: { displayName: 'Renamed' },
    }),
    await admin('GET', `/api/v1/service_principals/${principalId}`),
  ].map(({ body }) => JSON.stringify(body));
  const jwk = JSON.parse(Buffer.from(clientSecret.slice(clientSecret.lastIndexOf(':') + 1), 'base64url').toString()) as { d: string };
  const places = {
    logged: logged.join('\n'),
    events: await collectEvents(),
    tables: await collectTables([]),
    replies: replies.join('\n'),
    metrics: await metrics(),
  };
  for (const secret of [clientSecret, jwk.d, token, token.split('.')[2] ?? '']) {
    for (const [where, text] of Object.entries(places)) {
      expect([where, text.includes(secret)]).toEqual([where, false]);
    }
  }
  expect(places.events).toContain('Watched program');
});

it('what a file says stands in the inventory and in its import alone: not in logs, events or metrics', async () => {
  const mark = `cell-${randomUUID()}`;
  const line = (account: string, rest = 'role,R,e,,'): string => `${account},,USER,ENABLED,${rest}`;
  const files: [file: string | Buffer, encoding?: string][] = [
    [[grantsHeader, line(mark), line(`${mark}-2`, `role,${mark},${mark},,`)].join('\n')],
    [[grantsHeader, line(mark, `role,R,e,${mark},`)].join('\n')],
    [[grantsHeader, `${mark},${mark},${mark},ENABLED,role,R,e,,`].join('\n')],
    [[grantsHeader, line(mark, `role,R,e,99999-01-01T00:00:00Z,`)].join('\n')],
    [[grantsHeader, line(`${mark}\0`)].join('\n')],
    [[grantsHeader, `"${mark}`].join('\n')],
    [[grantsHeader, line(mark), `${mark},,SERVICE_ACCOUNT,ENABLED,role,R,e,,`].join('\n')],
    [`name,email\n${mark},${mark}`],
    [gzipSync([grantsHeader, line(mark)].join('\n')).subarray(0, 60), 'gzip'],
    [gzipSync([grantsHeader, line(mark), line(`${mark}-3`, `role,R,${mark},,`)].join('\n')), 'gzip'],
  ];
  const before = logged.length;
  const statuses: number[] = [];
  for (const [file, encoding] of files) {
    statuses.push((await upload('grants?app=Marked&allow_removals=true', file, encoding)).status);
  }
  const peopleHeader = 'email,display_name,manager_email,department,job_title,employment_status,note';
  for (const rows of [
    [`a@x.example,${mark},,,,ACTIVE,${mark}`],
    [`a@x.example,${mark},${mark}@x.example,,,${mark},${mark}`],
    [`${mark},x,,,,ACTIVE,`],
  ]) {
    statuses.push((await upload('people?source=marked&allow_removals=true', [peopleHeader, ...rows].join('\n'))).status);
  }
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(6);
  expect(statuses.filter((status) => ![200, 400].includes(status))).toEqual([]);
  expect(logged.length).toBeGreaterThan(before + 10);
  expect(logged.slice(before).filter((one) => one.includes(mark))).toEqual([]);
  expect((await collectEvents()).split('\n').filter((one) => one.includes(mark))).toEqual([]);
  expect(await metrics()).not.toContain(mark);
});
