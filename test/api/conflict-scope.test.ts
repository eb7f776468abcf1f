/** Reviews of access conflicts over a small company, over HTTP: which grants they ask about, and what their close accepts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request, violatedFields } from '../support/api.ts';
import type { TestServer } from '../support/server.ts';
import { type Company, startCompany } from '../support/small-company.ts';

describe('reviews of access conflicts', () => {
  let company: Company;
  let server: TestServer;
  let appId: string;
  let users: Company['users'];
  let ids: Company['ids'];
  beforeAll(async () => {
    company = await startCompany();
    ({ server, appId, users, ids } = company);
  });
  afterAll(() => server.stop());

  const call: Company['call'] = (...of) => company.call(...of);
  const draft: Company['draft'] = (...of) => company.draft(...of);
  const act: Company['act'] = (...of) => company.act(...of);

  /** The items of a scope; its preview counts the same, its funnel sums to all grants of the app, and it can be worked out again. */
  async function itemsFor(document: object, lists?: object): Promise<string[]> {
    const id = await draft(document, lists);
    const { items, funnel } = await company.preview(id);
    expect(funnel.reduce((sum: number, stage: Loose) => sum + Number(stage.grants), 0)).toBe(12);
    await act(id, 'prepare', 'REVIEW');
    const found = company.itemsOf((await company.selections(id)).list);
    expect(Number(items)).toBe(found.length);
    expect(await call('POST', `/api/v1/access_review/${id}/action/replay`, {})).toMatchObject({ matches: true, differenceCount: '0' });
    const { completeness } = await call('GET', `/api/v1/access_review/${id}/completeness`);
    // The company is brought into its state by hand, behind its file: that is sum 2.
    expect(completeness.sums.filter((one: Loose) => !one.holds && one.number !== 2)).toEqual([]);
    return found;
  }
  const conflicts = (member: 'allAccessConflicts' | 'specificAccessConflicts', more: object = {}) => ({
    scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS',
    scopeV2: { [member]: {}, ...more },
  });
  const ofConflicts = () => conflicts('allAccessConflicts');
  const monitors: string[] = [];
  const monitor = async (a: string, b: string, negateGroupB: boolean): Promise<void> => {
    const { id } = await call('POST', '/api/v1/accessconflict', { displayName: `${a} and ${b}` });
    for (const [name, group] of [
      [a, 'A'],
      [b, 'B'],
    ] as const) {
      const entitlementGroup = `ENTITLEMENT_GROUP_${group}`;
      await call('POST', '/api/v1/appentitlementmonitorbinding', { monitorId: id, appId, appEntitlementId: ids[name], entitlementGroup });
    }
    await call('POST', `/api/v1/accessconflict/${id}`, { negateGroupB });
    await call('POST', `/api/v1/accessconflict/${id}/action/enable`, {});
    monitors.push(id);
  };
  const alertOf = async (monitorId: string, state: string): Promise<Loose> => {
    const list = async () => (await call('GET', `/api/v1/conflict_alerts?monitor_id=${monitorId}&state=${state}`)).list;
    await expect.poll(async () => (await list()).length, { timeout: 60_000 }).toBe(1);
    return (await list())[0];
  };

  it('asks about the grants that make those of all monitors, or of the listed ones', async () => {
    await monitor('pay', 'sub', false);
    await monitor('pay', 'grp', true);
    expect(await itemsFor(ofConflicts())).toEqual(['a1 pay', 'a1 sub', 'a2 pay']);
    expect(await itemsFor(conflicts('specificAccessConflicts'), { monitorIds: [monitors[0]] })).toEqual(['a1 pay', 'a1 sub']);
    expect(await itemsFor(conflicts('allAccessConflicts', { selectedUsers: { userIds: [users.bob] } }))).toEqual(['a2 pay']);
    const refused = async (document: object, lists?: object): Promise<string[]> =>
      violatedFields(await request(server, server.admin, 'POST', `/api/v1/access_review/${await draft(document, lists)}/preview`, {}));
    expect(await refused(conflicts('specificAccessConflicts'))).toEqual(['scopeV2.specificAccessConflicts']);
    expect(await refused(conflicts('specificAccessConflicts'), { monitorIds: ['x'.repeat(27)] })).toEqual(['monitorIds[0]']);
    await call('POST', `/api/v1/accessconflict/${monitors[1]}/action/disable`, {});
    expect(await refused(conflicts('specificAccessConflicts'), { monitorIds: monitors })).toEqual(['monitorIds[1]']);
    expect(await itemsFor(ofConflicts())).toEqual(['a1 pay', 'a1 sub']);
  });

  it('exempts at its end those of which everything was certified, and asks about them no more', async () => {
    const alert = await alertOf(monitors[0] as string, 'ACTIVE');
    const reviewOf = async (document: object): Promise<{ id: string; tasks: Loose[] }> => {
      const id = await draft({ ...document, exemptCertifiedAccessConflicts: true });
      await act(id, 'prepare', 'REVIEW');
      await act(id, 'start', 'OPEN');
      const { list } = await call('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
      return { id, tasks: list.map((one: Loose) => one.task) };
    };
    const approve = (task: Loose) => call('POST', `/api/v1/tasks/${task.id}/action/approve`, { comment: 'Known', policyStepId: '' });
    const end = (id: string) => act(id, 'close', 'CLOSED');
    const part = await reviewOf({ multiApp: { appEntitlements: { [appId]: { appId, entitlementIds: [ids.pay] } } } });
    await Promise.all(part.tasks.map(approve));
    await end(part.id);
    expect(await alertOf(monitors[0] as string, 'ACTIVE')).toEqual(alert);
    const whole = await reviewOf(ofConflicts());
    expect(whole.tasks.length).toBe(2);
    // Each says which rule it breaks.
    const rule = { monitorId: monitors[0], displayName: 'pay and sub' };
    expect(whole.tasks.map(({ data }) => data.conflicts)).toEqual([[rule], [rule]]);
    const { expanded } = await call('POST', '/api/v1/search/tasks', {
      refs: [{ id: whole.tasks[0].id }],
      expandMask: { paths: ['insight_ids'] },
    });
    expect(expanded.find(({ term }: Loose) => term === 'CONFLICT')).toMatchObject({
      sentence: 'The access breaks the rule “pay and sub” of access conflicts.',
      code: 'CONFLICT_OF_RULE',
      parameters: { rule: 'pay and sub', others: '0' },
    });
    for (const task of whole.tasks) {
      await approve(task);
    }
    await end(whole.id);
    expect(await alertOf(monitors[0] as string, 'EXEMPTED')).toMatchObject({
      id: alert.id,
      exemption: { accessReviewId: whole.id, userId: '', reason: 'All its access was certified in the review "Scope".' },
    });
    const again = await request(server, server.admin, 'POST', `/api/v1/access_review/${await draft(ofConflicts())}/preview`, {});
    expect([again.status, again.body.message]).toEqual([400, expect.stringContaining('no access is in scope')]);
  });
});
