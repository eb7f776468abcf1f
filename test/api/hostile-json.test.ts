/**
 * Arbitrary JSON at every operation of the contract: nothing a client can put into a body or a query is ever a 500, and the server is well
 * afterwards. What a good request is, is in operations.ts; the reading of requests alone is tested in src/wire.
 */
import { getOption, type DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs, sampled } from '../support/runs.ts';
import { streamed_body } from '../../src/gen/countersign/options_pb.js';
import { contractRoute } from '../../src/http/route-of.ts';
import { requestOf } from '../support/arbitrary-request.ts';
import { listOperations, type Operation, type Sample, sampleOf } from '../support/operations.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const operations = (await listOperations()).filter(({ desc }) => !getOption(desc, streamed_body));
const named = operations.map((operation) => [operation.name, operation] as const);

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1e308,
    -1e308,
    2 ** 53,
    1.5,
    '',
    ' ',
    '\0',
    '\ud800',
    '\udfff',
    '__proto__',
    'constructor',
    '*',
    '.',
    '..',
    '%00',
    '\u202e',
    '\uffff',
    "'; DROP TABLE users; --",
    '\\',
    '{}',
    '[]',
    '$1',
    '9'.repeat(400),
    'x'.repeat(70_000),
    '0000-00-00T00:00:00Z',
    '9999-12-31T23:59:60Z',
    '-1s',
    '1e9s',
    '315576000001s',
    'NaN',
    'Infinity',
    '-Infinity',
    [],
    {},
    [[]],
    [null],
    { '': '' },
    { '@type': 'type.googleapis.com/google.protobuf.Any' },
    { seconds: 1 },
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Objects with the message's own names, in either spelling, and anything at all for values. */
function wrong(desc: DescMessage, depth = 0): fc.Arbitrary<unknown> {
  const names = desc.fields.flatMap((field) => [field.name, field.jsonName]);
  if (names.length === 0 || depth > 2) {
    return nasty;
  }
  return fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 }).chain((chosen) =>
    fc.record(
      Object.fromEntries(
        chosen.map((name) => {
          const field = desc.fields.find((one) => one.name === name || one.jsonName === name);
          const inner = field?.message;
          return [
            name,
            inner === undefined || inner.typeName.startsWith('google.')
              ? nasty
              : fc.oneof(nasty, wrong(inner, depth + 1), fc.array(wrong(inner, depth + 1), { maxLength: 2 })),
          ];
        }),
      ),
      { noNullPrototype: true },
    ),
  );
}

describe('arbitrary JSON', () => {
  let server: TestServer;
  let world: World;
  let token: string;
  const errors: string[] = [];

  beforeAll(async () => {
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields: unknown, message?: string) => {
        const { cause, err } = fields as { cause?: unknown; err?: unknown };
        errors.push(`${message}: ${String(cause ?? err)}`);
      },
      child: () => log,
    };
    const made = await startWorld({ log: log as never });
    server = made.server;
    world = made.world;
    token = await server.admin.client.token();
  });
  afterAll(() => server.stop());

  const sendText = async (operation: Operation, sample: Sample, text: string): Promise<[number, string]> => {
    const { verb, template } = contractRoute(operation.desc);
    const path = template.replace(/\{([a-z0-9_]+)\}/g, (_all, name: string) => sample.path?.[name] ?? '');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await server.fetch(path, { method: verb, headers, ...(verb === 'GET' ? {} : { body: text }) });
    return [response.status, await response.text()];
  };
  const allowed = new Set([200, 400, 403, 404, 409, 413]);

  it.each(
    sampled(
      named.filter(([, { desc }]) => contractRoute(desc).hasBody),
      10,
    ),
  )(
    '%s: what is well-formed and what is not',
    async (_name, operation) => {
      const sample = await sampleOf(operation, world, server.admin);
      const check = async (body: unknown): Promise<void> => {
        errors.length = 0;
        const [status, text] = await sendText(operation, sample, JSON.stringify(body));
        expect([status, allowed.has(status) ? '' : errors.join()]).toEqual([status, '']);
        expect(JSON.parse(text)).toBeTypeOf('object');
      };
      await fc.assert(fc.asyncProperty(requestOf(operation.desc.input), check), { numRuns: runs(3, 6) });
      await fc.assert(fc.asyncProperty(fc.oneof(nasty, wrong(operation.desc.input)), check), { numRuns: runs(6, 12) });
      // A good request in which one thing is wrong goes deepest.
      const good: Record<string, unknown> = { ...sample.fields };
      const mutated = fc.tuple(fc.constantFrom(...operation.desc.input.fields.map(({ jsonName }) => jsonName), 'unknown'), nasty);
      await fc.assert(
        fc.asyncProperty(mutated, ([name, value]) => check({ ...good, [name]: value })),
        { numRuns: runs(4, 8) },
      );
    },
    300_000,
  );

  it.each(
    sampled(
      named.filter(([, { desc }]) => !contractRoute(desc).hasBody),
      10,
    ),
  )(
    '%s: any query and any path',
    async (_name, operation) => {
      const sample = await sampleOf(operation, world, server.admin);
      const { template } = contractRoute(operation.desc);
      const headers = { authorization: `Bearer ${token}` };
      const texts = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed()),
        fc.constantFrom(
          '\0',
          '../..',
          '/',
          '//',
          '%',
          'x'.repeat(999),
          '*',
          '__proto__',
          ' ',
          ';',
          '?',
          '#',
          '\\',
          '\r\n',
          ':',
          'null',
          '\u{1f600}',
        ),
      );
      const names = [
        'page_size',
        'page_token',
        'pageSize',
        'pageToken',
        'id',
        'app_id',
        '__proto__',
        'constructor',
        ...operation.desc.input.fields.map(({ name }) => name),
      ];
      const query = fc.array(fc.tuple(fc.constantFrom(...names), texts), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(query, fc.array(texts, { minLength: 4, maxLength: 4 }), fc.boolean(), async (pairs, ids, keep) => {
          errors.length = 0;
          let index = 0;
          const path = template.replace(/\{([a-z0-9_]+)\}/g, (_all, name: string) =>
            keep ? (sample.path?.[name] ?? '') : encodeURIComponent(ids[index++] ?? '').replace(/^\.+$/, '%2E%2E'),
          );
          const response = await server.fetch(`${path}?${new URLSearchParams(pairs)}`, { headers });
          const allowedHere = new Set([200, 400, 404, 405, 414]);
          expect([path, response.status, allowedHere.has(response.status) ? '' : errors.join()]).toEqual([path, response.status, '']);
          expect(await response.json()).toBeTypeOf('object');
        }),
        { numRuns: runs(5, 10) },
      );
    },
    300_000,
  );

  it.each(
    sampled(
      named.filter(([, { desc }]) => contractRoute(desc).parameters.length > 0),
      10,
    ),
  )('%s: ids that cannot be', async (_name, operation) => {
    const { verb, template, parameters } = contractRoute(operation.desc);
    const sample = await sampleOf(operation, world, server.admin);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const id of [
      '%00',
      'a%00b',
      '%2F',
      '..%2F..',
      'x'.repeat(1000),
      'x'.repeat(1001),
      '%F0%9F%98%80',
      '%27%3B--',
      '*',
      '%25',
      'a'.repeat(27),
      '%20',
    ]) {
      for (const wrongOne of parameters) {
        const path = template.replace(/\{([a-z0-9_]+)\}/g, (_all, name: string) => (name === wrongOne ? id : (sample.path?.[name] ?? '')));
        errors.length = 0;
        const body = verb === 'GET' ? {} : { body: JSON.stringify(sample.fields ?? {}) };
        const response = await server.fetch(path, { method: verb, headers, ...body });
        expect([path, response.status, errors.join()]).toEqual([path, response.status, '']);
        if (operation.name === 'ProfileAttributeService.set' && wrongOne === 'name' && response.status === 200) {
          // No id: columns may be called what they like, if it can be stored and is short.
          expect(decodeURIComponent(id)).toMatch(/^[^\0]{1,128}$/u);
          continue;
        }
        if (operation.name === 'SourceService.setSecret' && wrongOne === 'name' && response.status === 200) {
          // Nor this: a source may call its secrets so.
          expect(id).toMatch(/^[0-9A-Za-z]{1,64}$/);
          continue;
        }
        if (wrongOne === 'role_slug' && response.status === 200) {
          // No id either: owners stand in whatever role a client calls by a slug.
          expect(id).toMatch(/^[0-9A-Za-z]{1,64}$/);
          continue;
        }
        expect([400, 404, 414]).toContain(response.status);
        expect(await response.json()).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
      }
    }
  });

  it('a __proto__ anywhere pollutes nothing', async () => {
    for (const text of [
      '{"__proto__":{"polluted":1},"displayName":"x"}',
      '{"constructor":{"prototype":{"polluted":1}},"displayName":"x"}',
      '{"displayName":"x","scopeV2":{"__proto__":{"polluted":1}}}',
      '{"displayName":"x","scopeV2":{"userCriteria":{"multiUserProfileAttributes":{"__proto__":{"values":[]}}}}}',
    ]) {
      const response = await server.fetch('/api/v1/access_review', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: text,
      });
      expect([200, 400]).toContain(response.status);
      expect(await response.text()).not.toContain('polluted');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    }
  });

  it('a length of time that leads out of the calendar finds nothing, or everything, and is no fault', async () => {
    for (const olderThanDuration of ['315576000000s', '-315576000000s']) {
      const { status } = await world.call(server.admin, 'POST', '/api/v1/search/tasks', { olderThanDuration });
      expect([olderThanDuration, status]).toEqual([olderThanDuration, 200]);
    }
    for (const name of ['daysSinceAdded', 'daysSinceLastUsed', 'daysSinceReviewed']) {
      for (const value of ['9999999999', '9999999999s']) {
        const id = await world.makeDraft({ scopeV2: { grantsByCriteria: { [name]: value } } });
        const { status } = await world.call(server.admin, 'POST', `/api/v1/access_review/${id}/preview`, {});
        // Nothing was added, everything may be unused or unreviewed.
        expect([name, value, status]).toEqual([name, value, name === 'daysSinceAdded' ? 400 : 200]);
      }
    }
  });

  it('leaves everything as well as it was', async () => {
    for (const path of ['/readyz', '/healthz']) {
      expect((await server.fetch(path)).status).toBe(200);
    }
    const { status } = await world.call(server.admin, 'GET', `/api/v1/access_review/${world.openId}`);
    expect(status).toBe(200);
  });
});
