/** The policies that apps and entitlements choose: they have to be there, of the right type for reviews, and stay while they are chosen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const never = 'x'.repeat(27);
const members = ['certifyPolicyId', 'grantPolicyId', 'revokePolicyId', 'emergencyGrantPolicyId'] as const;
type Member = (typeof members)[number];

describe('policies that are chosen', () => {
  let server: TestServer;
  let other: ServedTenant;
  let appId: string;
  let entitlementId: string;
  /** One for each member. */
  const policies: Record<string, string> = {};
  let theirs: string;
  let gone: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const makePolicy = async (type: string, tenant: ServedTenant = server): Promise<string> => {
    const { body } = await request(tenant, tenant.admin, 'POST', '/api/v1/policies', {
      displayName: type,
      policyType: `POLICY_TYPE_${type}`,
      policySteps: { [type.toLowerCase()]: { steps: [{ accept: {} }] } },
    });
    return body.policy.id;
  };

  /** Both things that choose policies: how each is made and changed, and which members it has. */
  const things = [
    {
      what: 'app',
      members: members.slice(0, 3) as Member[],
      make: (name: string, fields: object) => admin('POST', '/api/v1/apps', { displayName: name, ...fields }),
      change: (fields: object, updateMask?: string) => admin('POST', `/api/v1/apps/${appId}`, { app: fields, updateMask }),
      prefix: 'app.',
      shown: ({ body }: Answer): Loose => body.app,
    },
    {
      what: 'entitlement',
      members: [...members],
      make: (name: string, fields: object) => admin('POST', `/api/v1/apps/${appId}/entitlements`, { displayName: name, ...fields }),
      change: (fields: object, updateMask?: string) =>
        admin('POST', `/api/v1/apps/${appId}/entitlements/${entitlementId}`, { entitlement: fields, updateMask }),
      prefix: 'entitlement.',
      shown: ({ body }: Answer): Loose => body.appEntitlementView.appEntitlement,
    },
  ];

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
    const file = `${header}\nann,,USER,ENABLED,role,Wiki,read,,\n`;
    appId = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', file)).body.import.appId;
    const { list } = await ok('POST', '/api/v1/search/entitlements', { appIds: [appId], query: 'read' });
    entitlementId = list[0].appEntitlement.id;
    policies.certifyPolicyId = await makePolicy('CERTIFY');
    policies.grantPolicyId = await makePolicy('GRANT');
    policies.revokePolicyId = await makePolicy('REVOKE');
    policies.emergencyGrantPolicyId = await makePolicy('GRANT');
    theirs = await makePolicy('CERTIFY', other);
    gone = await makePolicy('CERTIFY');
    await ok('DELETE', `/api/v1/policies/${gone}`);
  });
  afterAll(() => server.stop());

  describe.each(things)('by an $what', (thing) => {
    const pick = (value: (member: Member) => string): Record<string, string> =>
      Object.fromEntries(thing.members.map((member) => [member, value(member)]));

    it('are stored, answered, found and taken away', async () => {
      const chosen = pick((member) => policies[member] ?? '');
      expect(thing.shown(await thing.make(`Chosen ${thing.what}`, chosen))).toMatchObject(chosen);
      const changed = await thing.change(chosen);
      expect(thing.shown(changed)).toMatchObject(chosen);
      const search = thing.what === 'app' ? 'apps' : 'entitlements';
      for (const id of Object.values(chosen)) {
        expect((await ok('POST', `/api/v1/search/${search}`, { policyRefs: [{ id }] })).list).toHaveLength(2);
        expect((await ok('POST', `/api/v1/search/${search}`, { policyRefs: [{ id }, { id }, { id: never }] })).list).toHaveLength(2);
      }
      const none = pick(() => '');
      expect(thing.shown(await thing.change(none, thing.members.join(',')))).toMatchObject(none);
      expect((await ok('POST', `/api/v1/search/${search}`, { policyRefs: [{ id: chosen.grantPolicyId }] })).list).toHaveLength(1);
    });

    it.each(['nobody', 'another tenant', 'a deleted one'])('are refused all at once where they are those of %s', async (whose) => {
      const id = whose === 'nobody' ? never : whose === 'another tenant' ? theirs : gone;
      const wrong = pick(() => id);
      const name = `Refused ${thing.what}`;
      const refused = await thing.make(name, wrong);
      expect([refused.status, violatedFields(refused).sort()]).toEqual([400, thing.members.toSorted()]);
      expect(refused.body.message).toContain(id);
      const changed = await thing.change({ ...wrong, displayName: '' }, [...thing.members, 'displayName'].join(','));
      expect([changed.status, violatedFields(changed).sort()]).toEqual([
        400,
        [...thing.members, 'displayName'].map((member) => `${thing.prefix}${member}`).sort(),
      ]);
      const search = thing.what === 'app' ? 'apps' : 'entitlements';
      expect((await ok('POST', `/api/v1/search/${search}`, { displayName: name })).list).toEqual([]);
    });

    it('are for reviews only such as lead reviews', async () => {
      const { grantPolicyId = '', certifyPolicyId = '' } = policies;
      const refused = await thing.change({ certifyPolicyId: grantPolicyId });
      expect([refused.status, violatedFields(refused)]).toEqual([400, [`${thing.prefix}certifyPolicyId`]]);
      expect(refused.body.message).toContain('POLICY_TYPE_CERTIFY');
      // What is said of requests is only kept: of whichever type it is.
      expect(thing.shown(await thing.change({ grantPolicyId: certifyPolicyId })).grantPolicyId).toBe(certifyPolicyId);
      await thing.change({ grantPolicyId: '' });
    });

    it('are asked for only where they change', async () => {
      const table = thing.what === 'app' ? 'apps' : 'entitlements';
      const id = thing.what === 'app' ? appId : entitlementId;
      await server.test.admin(`UPDATE ${table} SET certify_policy_id = $2 WHERE id = $1`, [id, never]);
      expect(thing.shown(await thing.change({ certifyPolicyId: never, description: 'changed' }))).toMatchObject({
        certifyPolicyId: never,
        description: 'changed',
      });
      expect(thing.shown(await thing.change({ certifyPolicyId: '' })).certifyPolicyId).toBe('');
    });

    it.each(members)('are chosen by nobody once they are deleted, as %s', async (member) => {
      const isMember = thing.members.includes(member);
      const id = await makePolicy(member === 'certifyPolicyId' ? 'CERTIFY' : 'GRANT');
      const before = thing.shown(await thing.change({ [member]: id }));
      expect(before[member]).toBe(isMember ? id : undefined);
      await ok('DELETE', `/api/v1/policies/${id}`);
      const after = thing.shown(await thing.change({}));
      expect(after).toEqual({ ...before, ...(isMember ? { [member]: '' } : {}), updatedAt: after.updatedAt });
    });
  });

  it('are chosen by nobody once they are deleted, whoever comes first', async () => {
    for (let round = 0; round < 6; round++) {
      const id = await makePolicy('CERTIFY');
      const [chosen, deleted] = await Promise.all([
        admin('POST', `/api/v1/apps/${appId}`, { app: { certifyPolicyId: id } }),
        admin('DELETE', `/api/v1/policies/${id}`),
      ]);
      expect([[200, 400].includes(chosen.status), deleted.status]).toEqual([true, 200]);
      expect((await ok('GET', `/api/v1/apps/${appId}`)).app.certifyPolicyId).toBe('');
    }
  });
});
