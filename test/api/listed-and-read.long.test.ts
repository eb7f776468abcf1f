/**
 * What a list, a search or a view shows somebody, they can read: every object that a reply of any reading operation names is asked for by its own
 * operation, as everybody with a part in a world. What is shown without being theirs to read is listed here, with the reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodDemand } from '../../src/http/permissions.ts';
import { type Loose, request } from '../support/api.ts';
import { type Character, makeCast } from '../support/cast.ts';
import { listOperations, type Operation, type Sample, sampleOf, send } from '../support/operations.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const parts = ['owner', 'reviewer', 'delegate', 'subject', 'app owner', 'entitlement owner', 'source owner'] as const;

/** Kinds of objects that an operation names without showing them, and why. */
const named: Readonly<Record<string, readonly string[]>> = {
  // What anybody may ask for: it need not concern them.
  'RequestCatalogSearchService.searchEntitlements': ['app', 'entitlement', 'resource'],
  // Whoever answers a second time must not read the first decisions.
  'SecondReviewService.listQuestions': ['task'],
  'SecondReviewService.listItems': ['task'],
  // A removal says which review denied the access. That review is its reviewers' and owners'.
  'RevocationService.list': ['review'],
  'RevocationService.get': ['review'],
  // Names what was given since the snapshot, and what a review that is not prepared is to ask about.
  'ReviewArrivalService.list': ['entitlement'],
  'AccessReviewTemplateSetupEntitlementService.getScopeAndEntitlements': ['entitlement', 'resource'],
  'AccessReviewSetupEntitlementAndScopeService.getCampaignScopeAndEntitlements': ['resource'],
};

/** The addresses of the objects that a reply names, by kind. */
function* refer(part: unknown): Generator<readonly [kind: string, path: string]> {
  if (Array.isArray(part)) {
    for (const one of part) {
      yield* refer(one);
    }
    return;
  }
  if (typeof part !== 'object' || part === null) {
    return;
  }
  const found = part as Loose;
  const type = String(found['@type'] ?? '').replace(/^.*\./, '');
  const app = `/api/v1/apps/${found.appId}`;
  if (type === 'App') {
    yield ['app', `/api/v1/apps/${found.id}`];
  }
  if (found.appId) {
    yield ['app', app];
    const entitlement = found.appEntitlementId || found.entitlementId || (type === 'AppEntitlement' ? found.id : '');
    if (entitlement) {
      yield ['entitlement', `${app}/entitlements/${entitlement}`];
    }
    const resource = found.appResourceId || (type === 'AppResource' ? found.id : '');
    if (resource && found.appResourceTypeId) {
      yield ['resource', `${app}/resource_types/${found.appResourceTypeId}/resources/${resource}`];
      yield ['resource', `${app}/resource_types/${found.appResourceTypeId}`];
    }
  }
  const members = { accessReviewId: ['review', 'access_review'], taskId: ['task', 'tasks'], sourceId: ['source', 'sources'] } as const;
  for (const [member, [kind, path]] of Object.entries(members)) {
    if (found[member]) {
      yield [kind, `/api/v1/${path}/${found[member]}`];
    }
  }
  for (const value of Object.values(found)) {
    yield* refer(value);
  }
}

/** A request with everything expanded; of a list, one without its filters, too. */
function variantsOf({ desc, isList }: Operation, sample: Sample): Sample[] {
  const all = desc.input.fields.some(({ name }) => name === 'expand_mask') ? { expandMask: { paths: ['*'] } } : {};
  const { file: _file, ...rest } = sample;
  return [{ ...sample, fields: { ...sample.fields, ...all } }, ...(isList ? [{ ...rest, fields: { ...all, pageSize: 100 } }] : [])];
}

describe('whatever is shown', () => {
  let server: TestServer;
  let world: World;
  let cast: readonly Character[];
  /** Requests of each operation: made once, since some make what they ask about. */
  const samples = new Map<string, Promise<Sample>>();
  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    ({ cast, world } = await makeCast(server, made.world));
  });
  afterAll(() => server.stop());

  it.each(parts)('can be read by whom it is shown to: %s', async (title) => {
    const person = await (cast.find((one) => one.title === title) as Character).enter();
    const shown = new Map<string, { kind: string; by: Set<string> }>();
    for (const operation of (await listOperations()).filter(({ desc }) => methodDemand(desc).act === 'READ')) {
      const sample = samples.get(operation.name) ?? sampleOf(operation, world, person);
      samples.set(operation.name, sample);
      for (const variant of variantsOf(operation, await sample)) {
        const { status, body } = await send(server, person, operation, variant);
        for (const [kind, path] of status === 200 ? refer(body) : []) {
          const known = shown.get(path) ?? { kind, by: new Set<string>() };
          shown.set(path, known);
          if (!named[operation.name]?.includes(kind)) {
            known.by.add(operation.name);
          }
        }
      }
    }
    const hidden: string[] = [];
    for (const [path, { kind, by }] of shown) {
      const isGiven = by.size === 0 || (await request(server, person, 'GET', path)).status === 200;
      hidden.push(...(isGiven ? [] : [...by].map((name) => `${kind} of ${name}`)));
    }
    expect(shown.size).toBeGreaterThan(0);
    expect([...new Set(hidden)]).toEqual([]);
  });
});
