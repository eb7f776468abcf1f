/**
 * The doors beside the contract (docs/authority.md), over HTTP: each of them asked with every key there is, and with none. A route without a row in
 * the table of doors does not start.
 */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Door, doors } from '../../src/foundation/authority/doors.ts';
import { ROLES } from '../../src/foundation/directory/index.ts';
import { requestGood, tokenOf } from '../support/api.ts';
import { askToken } from '../support/connector.ts';
import { connectScim } from '../support/scim.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';

/** Keys that a request may come with beside the secret of a link or a code. */
type Ring = Readonly<Record<string, Readonly<Record<string, string>>>>;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
/** Bodies that are right but for their secret. */
const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/auth/v1/token': [form, 'grant_type=client_credentials&client_id=nobody@here/pcc&client_secret=x'],
  '/auth/v1/device_authorization': [form, 'client_id=2RGdOS94VDferT9e80mdgntl36K'],
  '/auth/device': [json, '{"code":"BCDF-GHJK","answer":"DENY"}'],
  '/auth/link': [json, '{"email":"nobody@doors.example"}'],
  '/auth/link/open': [json, '{"token":"none"}'],
};
const [asset = ''] = readdirSync(new URL('../../console/dist/assets', import.meta.url)).filter((name) => name.endsWith('.js'));

describe('the doors beside the contract', () => {
  let server: TestServer;
  let theirs: ServedTenant;
  let ring: Ring;
  let requests = 0;

  const cases = doors.flatMap((door) => door.methods.map((method) => [`${method} ${door.path}`, method, door] as const));

  async function ask(method: string, { path }: Door, headers: Readonly<Record<string, string>>): Promise<Response> {
    const [type, body] = bodies[path] ?? [json, '{}'];
    const isBodiless = method === 'GET' || method === 'OPTIONS';
    requests += 1;
    return server.fetch(path.replace('/assets/*', `/assets/${asset}`).replaceAll(/:[a-z]+|\*/g, 'absent'), {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html, */*',
        'sec-fetch-site': 'same-origin',
        // Places that fail often wait; each request comes from a place of its own, and none from this machine.
        'x-forwarded-for': `203.0.${113 + Math.floor(requests / 250)}.${1 + (requests % 250)}`,
        ...headers,
        ...(isBodiless ? {} : { 'content-type': type }),
      },
      ...(isBodiless ? {} : { body }),
    });
  }

  beforeAll(async () => {
    server = await startTestServer({ config: { trustProxy: ['127.0.0.1'] } });
    theirs = await server.makeTenant('theirs.example');
    const { admin } = server;
    const basic = await server.makePerson('basic@doors.example');
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const narrowed = await requestGood(server, admin, 'POST', '/api/v1/iam/personal_clients', {
      displayName: 'Reads',
      scopedRoles: [ROLES.BASIC_USER.id],
    });
    const { servicePrincipal } = await requestGood(server, admin, 'POST', '/api/v1/service_principals', { displayName: 'Program' });
    const key = await requestGood(server, admin, 'POST', `/api/v1/service_principals/${servicePrincipal.id}/credentials`, {
      displayName: 'Key',
    });
    const reading = { ...admin, credential: { clientId: narrowed.client.clientId, clientSecret: narrowed.clientSecret } };
    const program = { ...admin, credential: { clientId: key.credential.clientId, clientSecret: key.clientSecret } };
    const scim = await connectScim(server, 'Pushes');
    const at = `/api/v1/apps/${scim.appId}/connectors`;
    const config = { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: 'baton-demo' };
    const { id } = (await requestGood(server, admin, 'POST', `${at}/create`, { config })).connectorView.connector;
    const { credential } = await requestGood(server, admin, 'POST', `${at}/${id}/credentials`, {});
    const connector = await askToken({ url: server.url, ...credential, hostId: 'host-1' });
    ring = {
      nothing: {},
      administrator: bearer(await tokenOf(server, admin)),
      'Basic User': bearer(await tokenOf(server, basic)),
      'narrowed credential': bearer(await tokenOf(server, reading)),
      program: bearer(await tokenOf(server, program)),
      session: { cookie: await signIn(server, admin.id) },
      'SCIM token': bearer(scim.token),
      connector: bearer(connector.token),
      'administrator of others': bearer(await tokenOf(theirs, theirs.admin)),
      'session of others': { cookie: await signIn(theirs, theirs.admin.id) },
      'SCIM token of others': bearer((await connectScim(theirs, 'Pushes')).token),
    };
  }, 240_000);
  afterAll(() => server.stop());

  /** True if a door answered that this is not for whoever asked; by a redirect, where a browser came back without its secret. */
  function isRefused({ key }: Door, { status, headers }: Response): boolean {
    if (status === 303) {
      return key !== 'NOTHING' && (headers.get('location') ?? '').startsWith('/sign-in?error=');
    }
    // Whoever has the key of these hears that what they name is not there.
    return key === 'SESSION' || key === 'SCIM_TOKEN' ? status === 401 : [401, 403, 404].includes(status);
  }

  /** Names of what opens a door, of all there is here; nobody has a secret, no log is published, and all requests come from elsewhere. */
  function openersOf({ key }: Door): readonly string[] {
    const openers = {
      NOTHING: Object.keys(ring),
      OPERATOR: [],
      SECRET: [],
      PUBLISHED: [],
      SESSION: ['session'],
      SCIM_TOKEN: ['SCIM token'],
    };
    return openers[key];
  }

  it.each(cases)('%s', async (_name, method, door) => {
    const opened: string[] = [];
    for (const [holder, headers] of Object.entries(ring)) {
      const answer = await ask(method, door, headers);
      await answer.body?.cancel();
      if (!isRefused(door, answer)) {
        opened.push(holder);
      }
      // Before /auth/sign-out the session is there, and after it another one.
      if (door.path === '/auth/sign-out' && holder === 'session') {
        ring = { ...ring, session: { cookie: await signIn(server, server.admin.id) } };
      }
    }
    expect(opened).toEqual(openersOf(door));
  });
});
