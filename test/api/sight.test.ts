/**
 * Nobody reads more of others than they should: every operation that a Basic User may call, asked by several of them with everything expanded, over
 * a company whose secrets are marked. Whatever comes back is searched for the marks, so that an operation that is added is searched, too.
 */
import type { DescMethod } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rolesByPermission } from '../../src/foundation/authority/index.ts';
import { actorOfKind, expectedSight } from '../../src/foundation/authority/matrix.ts';
import type { Standing } from '../../src/foundation/authority/objects.ts';
import { methodDemand } from '../../src/http/permissions.ts';
import type { RoleName } from '../../src/context.ts';
import type { Loose } from '../support/api.ts';
import { type MarkedWorld, startMarkedWorld } from '../support/marked-world.ts';
import { findMarks, findWholePeople } from '../support/marks.ts';
import { listOperations, type Operation, type Sample, sampleOf, send } from '../support/operations.ts';
import { sampled } from '../support/runs.ts';
import type { TestPerson } from '../support/server.ts';

const operations = (await listOperations()).filter(({ desc }) =>
  (rolesByPermission[methodDemand(desc).permission] as readonly RoleName[]).includes('BASIC_USER'),
);

const has = (desc: DescMethod, field: string): boolean => desc.input.fields.some(({ name }) => name === field);

/** A request with everything expanded; for a list, one without filters, too. */
function variantsOf({ desc, isList }: Operation, sample: Sample): Sample[] {
  const all = has(desc, 'expand_mask') ? { expandMask: { paths: ['*'] } } : {};
  const given = { ...sample, fields: { ...sample.fields, ...all } };
  const { file: _file, ...rest } = sample;
  return isList ? [given, { ...rest, fields: { ...all, pageSize: 100 } }] : [given];
}

describe('replies to people who read their own alone', () => {
  let server: MarkedWorld['server'];
  let world: MarkedWorld['world'];
  let readers: MarkedWorld['readers'];

  beforeAll(async () => {
    ({ server, world, readers } = await startMarkedWorld());
  }, 240_000);
  afterAll(() => server.stop());

  it('are searched for marks that are there', async () => {
    const all = await send(server, server.admin, operations.find(({ name }) => name === 'UserService.get') as Operation, {
      path: { id: world.userId },
    });
    expect(findMarks(all.body, new Set())).toEqual([`person:${world.userId}`]);
    expect(findWholePeople(all.body, 'x')).toEqual([world.userId]);
    const { reviewer, 'owner of apps': appOwner } = readers;
    const introspect = operations.find(({ name }) => name === 'UserService.introspect') as Operation;
    const own = await send(server, reviewer.person, introspect, { fields: { expandMask: { paths: ['*'] } } });
    expect(findMarks(own.body, new Set())).toEqual([`person:${reviewer.person.id}`]);
    // Its manager and its delegate are among them, as cards.
    expect(own.body.expanded.filter(({ id }: Loose) => id === world.userId)).toMatchObject([
      { displayName: 'Person 00', department: 'Sales' },
    ]);
    const app = await world.call(appOwner.person, 'GET', `/api/v1/apps/${world.appId}`);
    expect(findMarks(app.body, appOwner.mayRead)).toEqual([]);
    expect(findMarks(app.body, new Set())).toContain(`app:${world.appId}`);
  });

  it('are no reports with personnel data, which administrators ask for', async () => {
    const ask = async (person: TestPerson, column: string): Promise<number> => {
      const columns = [`ACCESS_REVIEW_REPORT_COLUMN_${column}`];
      const body = { format: 'ACCESS_REVIEW_REPORT_FORMAT_JSON', reportColumnConfig: { columns } };
      return (await world.call(person, 'POST', `/api/v1/access_review/${world.openId}/report`, body)).status;
    };
    expect(await ask(world.owner, 'EMPLOYEE_ID')).toBe(403);
    expect(await ask(world.owner, 'EMPLOYMENT_TYPE')).toBe(403);
    expect(await ask(world.owner, 'DEPARTMENT')).toBe(200);
    expect(await ask(server.admin, 'EMPLOYEE_ID')).toBe(200);
    // Of those, the one that an administrator asked for is no owner's, either.
    const count = async (person: TestPerson): Promise<number> =>
      (await world.call(person, 'GET', `/api/v1/access_review/${world.openId}/report`)).body.list.length;
    expect([await count(world.owner), await count(server.admin)]).toEqual([1, 2]);
  });

  it('find holders by what a card shows, and by nothing else of a person', async () => {
    const count = async (person: TestPerson, words: string): Promise<number> => {
      const query = new URLSearchParams({ query: words });
      return (await world.call(person, 'GET', `/api/v1/apps/${world.appId}/grants?${query}`)).body.list.length;
    };
    const { person } = readers['owner of apps'];
    // The employee id and the user name of a person; then with a word of an entitlement, which is looked for in another way.
    const secret = `secret:person:${world.userId}`;
    for (const words of [secret, `${secret} e00`]) {
      expect([words, await count(person, words), (await count(server.admin, words)) > 0]).toEqual([words, 0, true]);
    }
    expect([(await count(person, 'Person 00')) > 0, (await count(person, 'p00@world.example e00')) > 0]).toEqual([true, true]);
  });

  it('show whole and as cards what docs/authority.md says', async () => {
    const { appId, openId, entitlementId, resourceTypeId, resourceId, accountId, userId } = world;
    const app = `/api/v1/apps/${appId}`;
    const { taskView } = (await world.call(world.assignee, 'GET', `/api/v1/tasks/${world.taskIds[0]}`)).body;
    const policyId: string = taskView.task.policyGenerationId;
    const places: readonly (readonly [string, string, object?])[] = [
      ['GET', `/api/v1/users/${userId}`],
      ['GET', app],
      ['GET', `${app}/resource_types/${resourceTypeId}/resources/${resourceId}`],
      ['GET', `${app}/entitlements/${entitlementId}`],
      ['GET', `${app}/users/${userId}/app_users`],
      ['GET', `${app}/app_users?page_size=100`],
      ['GET', `/api/v1/policies/${policyId}`],
      ['POST', '/api/v1/search/tasks', { accessReviewIds: [openId], pageSize: 100, expandMask: { paths: ['*'] } }],
    ];
    const marks = { person: userId, app: appId, resource: resourceId, entitlement: entitlementId, account: accountId, policy: policyId };
    const people: readonly (readonly [TestPerson, Standing, RoleName])[] = [
      [server.admin, 'SUPER', 'SUPER_ADMINISTRATOR'],
      [world.campaigner, 'CAMPAIGN', 'CAMPAIGN_ADMINISTRATOR'],
      [world.reader, 'READER', 'READ_ONLY_ADMINISTRATOR'],
      [world.owner, 'OWNER', 'BASIC_USER'],
      [world.assignee, 'REVIEWER', 'BASIC_USER'],
      [readers.subject.person, 'SUBJECT', 'BASIC_USER'],
      [readers.delegate.person, 'DELEGATE', 'BASIC_USER'],
      [readers['owner of apps'].person, 'APP_OWNER', 'BASIC_USER'],
      [readers['owner of an entitlement'].person, 'ENTITLEMENT_OWNER', 'BASIC_USER'],
      [world.basic, 'OTHER', 'BASIC_USER'],
      [world.logReader, 'OTHER', 'READ_ONLY_SYSTEM_LOGS'],
    ];
    for (const [person, standing, role] of people) {
      const replies = await Promise.all(places.map(([method, path, body]) => world.call(person, method, path, body)));
      const found = new Set(findMarks(replies, new Set()));
      for (const [kind, id] of Object.entries(marks) as [keyof typeof marks, string][]) {
        const expected = expectedSight(kind, actorOfKind('credential', [role]), standing);
        expect([standing, role, kind, found.has(`${kind}:${id}`)]).toEqual([standing, role, kind, expected === 'whole']);
      }
    }
  });

  it.each(
    sampled(
      operations.map((operation) => [operation.name, operation] as const),
      6,
    ),
  )('%s', async (_name, operation) => {
    const leaks: unknown[] = [];
    for (const [name, { person, mayRead }] of Object.entries(readers)) {
      for (const sample of variantsOf(operation, await sampleOf(operation, world, person))) {
        const { body } = await send(server, person, operation, sample);
        const found = [...findMarks(body, mayRead), ...findWholePeople(body, person.id)];
        if (found.length > 0) {
          leaks.push({ reader: name, found: found.slice(0, 3), sample });
        }
      }
    }
    expect(leaks).toEqual([]);
  });
});
