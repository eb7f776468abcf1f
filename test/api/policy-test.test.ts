/** Testing a policy over HTTP: rules, the policies on the way, whom each step asks and why, and every refusal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { untilAtRest } from '../support/until-at-rest.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

describe('testing a policy', () => {
  let server: TestServer;
  let world: World;
  let managerId: string;
  const call = async (method: string, path: string, body: unknown, status = 200): Promise<Loose> => {
    const answer = await request(server, server.admin, method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status);
    return answer.body;
  };
  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
    const { db, tenantId } = server.system();
    managerId = (
      await db.one<{ id: string }>('SELECT u.manager_id AS id FROM users u WHERE u.tenant_id = $1 AND u.id = $2', [tenantId, world.userId])
    ).id;
  });
  afterAll(() => server.stop());

  const make = async (members: object): Promise<string> => {
    const sent = { displayName: 'P', policyType: 'POLICY_TYPE_CERTIFY', ...members };
    return (await call('POST', '/api/v1/policies', sent)).policy.id;
  };
  const item = () => ({ appId: world.appId, appEntitlementId: world.entitlementId, appUserId: world.accountId });
  const steps = (...approvals: object[]) => ({ steps: approvals.map((approval) => ({ approval })) });
  const tested = (id: string, body: object, status = 200) => call('POST', `/api/v1/policies/${id}/test`, body, status);

  it('says which rules it tried, the policies on the way, and whom each step asks', async () => {
    const fallback = { fallback: true, fallbackUserIds: [world.basic.id] };
    const last = await make({
      rules: [{ condition: 'subject.department == "Sales"', stepKey: 'sales' }],
      policySteps: {
        sales: steps({ manager: {} }, { group: { appId: world.appId, appGroupId: 'none', ...fallback } }, { self: {} }),
        certify: steps({ manager: {} }),
      },
    });
    const first = await make({
      rules: [
        { condition: 'subject.profile.none == "x"', stepKey: 'certify' },
        { condition: 'entitlement.displayName == ""', stepKey: 'certify' },
        { condition: 'account.appUserType == AppUserType.USER', policyId: last },
      ],
      policySteps: { certify: steps({ appOwners: {} }) },
    });
    // What making the world called for is done first.
    await untilAtRest(server.test, [server.id]);
    const before = await written();
    const result = await tested(first, item());
    expect(result).toMatchObject({ policyIds: [first, last], stepKey: 'sales', isBaseline: false, problems: [], userId: world.userId });
    expect(result.rules).toEqual([
      { policyId: first, number: 1, condition: 'subject.profile.none == "x"', matches: false, error: expect.stringMatching(/./) },
      { policyId: first, number: 2, condition: 'entitlement.displayName == ""', matches: false, error: '' },
      { policyId: first, number: 3, condition: 'account.appUserType == AppUserType.USER', matches: true, error: '' },
      { policyId: last, number: 1, condition: 'subject.department == "Sales"', matches: true, error: '' },
    ]);
    const asked = result.steps.map(({ kind, approver, reason, passed, people }: Loose) => ({
      kind,
      approver,
      reason,
      passed,
      people: people.map((person: Loose) => person.userId),
    }));
    expect(asked).toEqual([
      { kind: 'approval', approver: 'manager', reason: 'MANAGER', passed: [], people: [managerId] },
      {
        kind: 'approval',
        approver: 'group',
        reason: 'FALLBACK_USERS',
        passed: ['GROUP'],
        people: [world.basic.id],
      },
      { kind: 'approval', approver: 'self', reason: 'SELF', passed: [], people: [world.userId] },
    ]);
    const { appUserId: _account, ...rest } = item();
    expect(await tested(first, { ...rest, userId: world.userId })).toMatchObject({ stepKey: 'sales', userId: world.userId });
    expect(await written()).toEqual(before);
  });

  it('finds the people of expressions, and passes over those that find nobody', async () => {
    const find = (...expressions: string[]) => ({ expression: { expressions } });
    const managers = 'c1.directory.users.v1.GetManagers(subject)';
    const id = await make({
      policySteps: {
        certify: steps(find('c1.directory.users.v1.FindByEmail("none")', managers), find('[subject]', managers), find('appOwners[99]')),
      },
    });
    const { steps: asked, problems } = await tested(id, item());
    expect(problems).toEqual([]);
    expect(
      asked.map(({ approver, reason, passed, people }: Loose) => [approver, reason, passed, people.map((one: Loose) => one.userId)]),
    ).toEqual([
      ['expression', 'EXPRESSION', [], [managerId]],
      ['expression', 'REVIEW_OWNERS', ['EXPRESSION'], []],
      ['expression', 'REVIEW_OWNERS', ['EXPRESSION'], []],
    ]);
  });

  it('says why a review with the policy would be refused, and asks owners of the review last', async () => {
    const id = await make({
      rules: [{ condition: 'entitlement.displayName == subject.department && task.isGrantPermanent', stepKey: 'certify' }],
      policySteps: { certify: steps({ users: { userIds: [world.userId] } }, { webhook: { webhookId: 'w' } }) },
    });
    const result = await tested(id, item());
    expect(result).toMatchObject({ isBaseline: true, steps: [{ reason: 'REVIEW_OWNERS', passed: ['USERS'], people: [] }, {}] });
    expect(result.problems).toEqual([expect.stringContaining('webhook')]);
  });

  it('names every id of nothing, and refuses who may not, and other tenants', async () => {
    const nothing = { appId: 'none', appEntitlementId: 'none', appUserId: 'none' };
    const { violations } = await tested(world.policyId, nothing, 400).then((body) => ({ violations: JSON.stringify(body) }));
    for (const field of ['appId', 'appEntitlementId', 'appUserId']) {
      expect(violations).toContain(`"${field}"`);
    }
    expect(JSON.stringify(await tested(world.policyId, { ...item(), userId: world.userId }, 400))).toContain('either an account');
    expect(JSON.stringify(await tested(world.policyId, { ...item(), appUserId: '', userId: 'none' }, 400))).toContain('"userId"');
    await tested('none', item(), 404);
    const path = `/api/v1/policies/${world.policyId}/test`;
    for (const person of [world.basic, world.owner, world.assignee]) {
      expect((await request(server, person, 'POST', path, item())).status).toBe(403);
    }
    for (const person of [world.campaigner, world.reader]) {
      expect((await request(server, person, 'POST', path, item())).status).toBe(200);
    }
    const other = await server.makeTenant('other.example');
    expect((await request(other, other.admin, 'POST', path, item())).status).toBe(404);
  });

  async function written(): Promise<Loose> {
    const { db, tenantId } = server.system();
    return db.one(
      `SELECT (SELECT count(*)::int FROM task_assignments a WHERE a.tenant_id = $1) AS sets,
         (SELECT count(*)::int FROM events e WHERE e.tenant_id = $1) AS events`,
      [tenantId],
    );
  }
});
