/** Searches for resources and types beside a plain filter over the same rows, with another tenant's rows in the same tables. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { useTwoTenants, type TestTenant, type TwoTenants } from '../../../../test/support/tenants.ts';
import { createApp } from '../apps/create-app.ts';
import { insertResource, insertResourceType, removeResource } from '../entitlements/store-manual-resources.ts';
import { insertOwners } from './store-owners.ts';
import { listResources, listResourceTypes, type ResourceFilter, type ResourceTypeFilter, traitIds } from './store-resources.ts';

interface Type {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly traitIds: readonly string[];
}

interface Resource {
  readonly id: string;
  readonly appId: string;
  readonly type: Type;
  readonly displayName: string;
  readonly description: string;
  readonly owners: readonly string[];
}

const words = ['red', 'Grün', '100%', 'a_b', 'ÉTÉ'];
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
const hasWords = (text: string, query: string): boolean =>
  fold(query)
    .split(/\s+/)
    .every((word) => fold(text).includes(word));

let two: TwoTenants;
let types: Type[];
let resources: Resource[];
let people: string[];

/** Two apps, six types, forty-eight resources and some owners, the same in each tenant but for the ids. */
async function fill({ admin, adminId, basicId }: TestTenant, mark: string): Promise<void> {
  types = [];
  resources = [];
  people = [adminId, basicId];
  for (const app of ['One', 'Two']) {
    const { id: appId } = await createApp(admin, { displayName: app }, []);
    for (let number = 0; number < 3; number++) {
      const type = {
        id: `${mark}t${app}${number}`,
        appId,
        displayName: `${words[number]} type`,
        traitIds: number === 2 ? [] : [traitIds[number] ?? ''],
      };
      await insertResourceType(admin, type);
      types.push(type);
      for (let count = 0; count < 8; count++) {
        const owners = count % 3 === 0 ? [] : people.slice(0, count % 3);
        const resource = {
          // In another order than that of types and apps.
          id: `${mark}r${count}${number}${app}`,
          appId,
          type,
          displayName: `${words[count % 5]} ${words[(count + number) % 5]}`,
          description: count % 2 === 0 ? 'even' : 'odd',
          owners,
        };
        const document = { description: resource.description };
        await insertResource(admin, { appId, id: resource.id, resourceTypeId: type.id, displayName: resource.displayName, document });
        await insertOwners(admin, { kind: 'resource', appId, id: resource.id }, owners);
        resources.push(resource);
      }
    }
    const gone = `${mark}gone${app}`;
    await insertResource(admin, { appId, id: gone, resourceTypeId: `${mark}t${app}0`, displayName: 'red even', document: {} });
    await removeResource(admin, appId, gone);
  }
}

beforeAll(async () => {
  two = await useTwoTenants();
  await fill(two.theirs, 'b');
  await fill(two.ours, 'a');
});
afterAll(() => two.close());

/** Mostly nothing, so that what is left is seldom nothing at all. */
const some = <T>(values: () => readonly T[]): fc.Arbitrary<T[] | undefined> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(undefined).chain(() => fc.subarray([...values()])) },
  );
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('red', 'GRUN', 'été', '0%', '_', 'red even', 'odd grun', 'absent', 'aqua%') },
);

function matches(resource: Resource, filter: ResourceFilter): boolean {
  const { type } = resource;
  return (
    (filter.appIds?.includes(resource.appId) ?? true) &&
    (filter.ids?.includes(resource.id) ?? true) &&
    !(filter.excludeIds?.includes(resource.id) ?? false) &&
    (filter.resourceTypeIds?.includes(type.id) ?? true) &&
    (filter.traitIds?.some((id) => type.traitIds.includes(id)) ?? true) &&
    !(filter.excludeTraitIds?.some((id) => type.traitIds.includes(id)) ?? false) &&
    (filter.ownerIds?.some((id) => resource.owners.includes(id)) ?? true) &&
    (filter.isUnowned === undefined || resource.owners.length === 0) &&
    (filter.query === undefined || hasWords(`${resource.displayName}\n${resource.id}\n${resource.description}`, filter.query))
  );
}

describe('resources', () => {
  it('are those a plain filter finds, page by page, upwards and downwards', async () => {
    const filters: fc.Arbitrary<ResourceFilter> = fc.record({
      appIds: some(() => types.map((type) => type.appId)),
      ids: some(() => resources.map((resource) => resource.id)),
      excludeIds: some(() => resources.map((resource) => resource.id)),
      resourceTypeIds: some(() => types.map((type) => type.id)),
      traitIds: some(() => ['role', 'group', 'vault']),
      excludeTraitIds: some(() => ['role', 'vault']),
      ownerIds: some(() => people),
      isUnowned: fc.constantFrom(undefined, undefined, undefined, true as const),
      query,
    });
    let withRows = 0;
    await fc.assert(
      fc.asyncProperty(filters, fc.boolean(), fc.integer({ min: 1, max: 20 }), async (filter, isDescending, size) => {
        const found: string[] = [];
        for (let after = ''; ; ) {
          const page = await listResources(two.ours.admin, filter, after, size, isDescending);
          found.push(...page.map((row) => row.id));
          after = page.at(-1)?.id ?? '';
          if (page.length < size) {
            break;
          }
        }
        const wanted = resources.filter((resource) => matches(resource, filter)).map((resource) => resource.id);
        wanted.sort();
        withRows += wanted.length > 0 ? 1 : 0;
        expect(found).toEqual(isDescending ? wanted.reverse() : wanted);
      }),
      { numRuns: runs(40, 150) },
    );
    expect(withRows).toBeGreaterThan(runs(10, 40));
  });

  it('shows nothing of another tenant, whichever ids are asked for', async () => {
    const { theirs, ours } = two;
    expect(await listResources(theirs.admin, { ids: resources.map((resource) => resource.id) }, '', 100)).toEqual([]);
    expect(await listResourceTypes(theirs.admin, { ids: types.map((type) => type.id) }, '', 100)).toEqual([]);
    expect(await listResources(ours.admin, {}, '', 100)).toHaveLength(resources.length);
    expect(await listResources(theirs.admin, {}, '', 100)).toHaveLength(resources.length);
  });
});

describe('resource types', () => {
  it('are those a plain filter finds', async () => {
    const filters: fc.Arbitrary<ResourceTypeFilter> = fc.record({
      appIds: some(() => types.map((type) => type.appId)),
      ids: some(() => types.map((type) => type.id)),
      excludeIds: some(() => types.map((type) => type.id)),
      traitIds: some(() => ['role', 'group', 'vault']),
      excludeTraitIds: some(() => ['role', 'vault']),
      displayName: fc.oneof(
        { weight: 2, arbitrary: query },
        {
          weight: 1,
          arbitrary: fc.constant(undefined).chain(() => fc.constantFrom(...types.map((type) => type.displayName))),
        },
      ),
      query,
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const wanted = types.filter(
          (type) =>
            (filter.appIds?.includes(type.appId) ?? true) &&
            (filter.ids?.includes(type.id) ?? true) &&
            !(filter.excludeIds?.includes(type.id) ?? false) &&
            (filter.traitIds?.some((id) => type.traitIds.includes(id)) ?? true) &&
            !(filter.excludeTraitIds?.some((id) => type.traitIds.includes(id)) ?? false) &&
            (filter.displayName === undefined || type.displayName === filter.displayName) &&
            (filter.query === undefined || hasWords(`${type.displayName}\n${type.id}`, filter.query)),
        );
        const found = await listResourceTypes(two.ours.admin, filter, '', 100);
        expect(found.map((row) => row.id)).toEqual(wanted.map((type) => type.id).sort());
      }),
      { numRuns: runs(30, 100) },
    );
  });
});
