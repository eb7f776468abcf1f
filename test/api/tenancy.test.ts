/**
 * Two tenants with the same company in them: no operation of the contract finds, shows or changes anything of the other one, whichever of
 * its ids it is given.
 */
import { getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Object$ as ObjectRule, object$ as objectOption, streamed_body } from '../../src/gen/countersign/options_pb.js';
import { contractRoute } from '../../src/http/route-of.ts';
import type { Answer } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { listOperations, type Sample, sampleOf, send } from '../support/operations.ts';
import { untilAtRest } from '../support/until-at-rest.ts';
import { sampled } from '../support/runs.ts';
import type { ServedTenant, TestServer } from '../support/server.ts';
import { makeWorld, type World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const operations = await listOperations();
/** Operations on what is the same in every tenant. */
const fixed = new Set([
  'RoleService.get',
  'RoleService.update',
  'AttributeService.listAttributeValues',
  'ProfileAttributeService.set',
  'ProfileAttributeService.delete',
]);
const byId = operations.filter(({ name, desc }) => contractRoute(desc).parameters.length > 0 && !fixed.has(name));
const lists = operations.filter(({ isList }) => isList);
const others = operations.filter((operation) => !byId.includes(operation));

describe('another tenant', () => {
  let server: TestServer;
  let theirs: ServedTenant;
  let ourWorld: World;
  let theirWorld: World;

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    ourWorld = made.world;
    theirs = await server.makeTenant('theirs.example');
    theirWorld = await makeWorld(theirs);
  });
  afterAll(() => server.stop());

  it.each(
    sampled(
      byId.map((operation) => [operation.name, operation] as const),
      16,
    ),
  )('%s with our ids is 404 and changes nothing', async (_name, operation) => {
    const ours = await sampleOf(operation, ourWorld, server.admin);
    const their = await sampleOf(operation, theirWorld, theirs.admin);
    await untilAtRest(server.test);
    const before = await fingerprint(server.test, server.id, theirs.id);
    // A role of owners and a secret of a source are called the same in every tenant.
    const parameters = contractRoute(operation.desc).parameters.filter((name) => name !== 'role_slug' && name !== 'name');
    // Every mixture of theirs and ours but the one that is all theirs.
    for (let mixture = 1; mixture < 2 ** parameters.length; mixture++) {
      const mixed = parameters.map((name, bit) => [name, ((mixture >> bit) & 1 ? ours : their).path?.[name] ?? '']);
      const path = { ...their.path, ...Object.fromEntries(mixed) };
      for (const fields of [ours.fields, their.fields]) {
        const answer = await send(theirs, theirs.admin, operation, { ...(fields === undefined ? {} : { fields }), path });
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.body.code).toBe(5);
        expect(JSON.stringify(answer.body)).not.toContain('World');
      }
    }
    expect(await fingerprint(server.test, server.id, theirs.id)).toEqual(before);
  });

  it.each(
    sampled(
      others.map((operation) => [operation.name, operation] as const),
      16,
    ),
  )('%s shows and changes nothing of ours', async (_name, operation) => {
    const sample: Sample = await sampleOf(operation, ourWorld, server.admin);
    await untilAtRest(server.test);
    const before = await fingerprint(server.test, server.id);
    const answer = await send(theirs, theirs.admin, operation, sample);
    const isOfSessions = getOption(operation.desc, objectOption) === ObjectRule.SESSION_ALONE;
    expect(isOfSessions ? [403] : [200, 400, 404]).toContain(answer.status);
    const text = JSON.stringify(answer.body);
    for (const id of [
      server.id,
      server.admin.id,
      ourWorld.appId,
      ourWorld.userId,
      ourWorld.openId,
      ourWorld.draftId,
      ourWorld.importId,
      ourWorld.credentialId,
    ]) {
      expect(text).not.toContain(id);
    }
    expect(await fingerprint(server.test, server.id)).toEqual(before);
  });

  it('refuses our page tokens in every list', async () => {
    for (const operation of sampled(lists, 4, ({ name }) => name)) {
      const sample = await sampleOf(operation, ourWorld, server.admin);
      const sized = { ...sample, fields: { ...sample.fields, page_size: 10 } };
      const first = await send(server, server.admin, operation, sized);
      expect(first.status).toBe(200);
      if (first.body.nextPageToken !== '') {
        const their = await sampleOf(operation, theirWorld, theirs.admin);
        const answer = await send(theirs, theirs.admin, operation, {
          ...their,
          fields: { ...their.fields, page_size: 10, page_token: first.body.nextPageToken },
        });
        expect([operation.name, answer.status]).toEqual([operation.name, 400]);
      }
    }
  });

  it('does not take our token, and we not theirs, on any route', async () => {
    const [ourToken, theirToken] = [await server.admin.client.token(), await theirs.admin.client.token()];
    for (const { desc } of operations) {
      const { verb, template } = contractRoute(desc);
      const path = template.replace(/\{[a-z_]+\}/g, ourWorld.openId);
      for (const [tenant, token] of [
        [theirs, ourToken],
        [server, theirToken],
      ] as const) {
        const type = getOption(desc, streamed_body) ? 'text/csv' : 'application/json';
        const body = verb === 'GET' ? {} : { body: '{}' };
        const response = await tenant.fetch(path, {
          method: verb,
          headers: { authorization: `Bearer ${token}`, 'content-type': type },
          ...body,
        });
        expect([path, response.status]).toEqual([path, 401]);
      }
    }
  });

  it('is chosen by the Host header alone', async () => {
    const headers = { authorization: `Bearer ${await server.admin.client.token()}` };
    const statusFor = async (host: string, more: Record<string, string> = {}): Promise<number> => {
      const response = await fetchAsHost(host)(`${server.url}/api/v1/auth/introspect`, { headers: { ...headers, ...more } });
      if (response.status === 404) {
        expect(((await response.json()) as Answer['body']).message).toContain('tenant');
      }
      return response.status;
    };
    const { port } = server.app;
    expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
    expect(await statusFor(`LOCALHOST:${port}`)).toBe(200);
    for (const host of [
      'unknown.example',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.:${port}x`,
      'theirs.example',
      `a.127.0.0.1:${port}`,
      `127.0.0.2:${port}`,
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 404]);
    }
    for (const header of ['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host']) {
      expect(await statusFor(`127.0.0.1:${port}`, { [header]: header === 'forwarded' ? `host=${theirs.host}` : theirs.host })).toBe(200);
      expect(await statusFor('unknown.example', { [header]: server.host })).toBe(404);
    }
  });

  it('says the same of what is not there and of what is ours', async () => {
    const path = (id: string) => `/api/v1/access_review/${id}`;
    const absent = await theirWorld.call(theirs.admin, 'GET', path('0'.repeat(27)));
    const ours = await theirWorld.call(theirs.admin, 'GET', path(ourWorld.openId));
    const strip = ({ status, body }: Answer) => ({ status, message: body.message, code: body.code });
    expect(strip(ours)).toEqual(strip(absent));
  });
});
