/** Risk levels and compliance frameworks over HTTP: made, read, listed, searched, carried by entitlements, deleted, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const risk = '000000000000000000RiskLevel';
const framework = '00000000ComplianceFramework';
const values = '/api/v1/attributes';
const never = 'x'.repeat(27);

describe('attributes over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let reader: TestPerson;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const make = async (kind: 'risk_levels' | 'compliance_frameworks', value: string): Promise<Loose> => {
    const answer = await admin('POST', `${values}/${kind}`, { value });
    expect(answer.status).toBe(200);
    return answer.body.value;
  };
  const eventsOf = (id: string) => server.test.admin(`SELECT kind, data FROM events WHERE target_id = $1 ORDER BY id`, [id]);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
  });
  afterAll(() => server.stop());

  it('has two types', async () => {
    const { body } = await admin('GET', `${values}/types`);
    expect(body).toEqual({
      list: [
        { id: risk, name: 'Risk Level' },
        { id: framework, name: 'Compliance Framework' },
      ],
      nextPageToken: '',
    });
    expect((await admin('GET', `${values}/types/${never}/values`)).status).toBe(404);
  });

  it('makes values once in any case, of each type', async () => {
    const made = await make('risk_levels', ' High ');
    expect(made).toMatchObject({ value: 'High', attributeTypeId: risk });
    expect(made.deletedAt).toBeUndefined();
    const again = await admin('POST', values, { attributeTypeId: risk, value: 'HIGH' });
    expect(again.status).toBe(409);
    expect((await admin('POST', values, { attributeTypeId: framework, value: 'High' })).status).toBe(200);
    expect((await request(other, other.admin, 'POST', `${values}/risk_levels`, { value: 'High' })).status).toBe(200);
    expect(violatedFields(await admin('POST', values, { attributeTypeId: never, value: 'x' }))).toEqual(['attributeTypeId']);
    for (const value of ['', '  ', 'x'.repeat(201), 'High\u202Ewol', 'High\r\nLow', 'High\u009b2J']) {
      expect(violatedFields(await admin('POST', `${values}/risk_levels`, { value }))).toEqual(['value']);
    }
    expect((await request(server, reader, 'POST', `${values}/risk_levels`, { value: 'y' })).status).toBe(403);
    expect((await eventsOf(made.id)).map(({ kind }) => kind)).toEqual(['attribute_value.created']);
  });

  it('makes one of two that come at once', async () => {
    const answers = await Promise.all(
      ['Race', 'race', 'RACE', 'rAce'].map((value) => admin('POST', `${values}/compliance_frameworks`, { value })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('shows a value by its own type alone', async () => {
    const { id } = await make('risk_levels', 'Shown');
    expect((await admin('GET', `${values}/${id}`)).body.value).toMatchObject({ id, value: 'Shown' });
    expect((await admin('GET', `${values}/risk_levels/${id}`)).body.value.id).toBe(id);
    expect((await request(server, reader, 'GET', `${values}/risk_levels/${id}`)).status).toBe(200);
    expect((await admin('GET', `${values}/compliance_frameworks/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `${values}/compliance_frameworks/${id}`, {})).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `${values}/${id}`)).status).toBe(404);
    expect((await request(other, other.admin, 'DELETE', `/api/v1/attribute/${id}`, {})).status).toBe(404);
    expect((await admin('GET', `${values}/${never}`)).status).toBe(404);
    expect((await admin('GET', `${values}/risk_levels/${id}`)).status).toBe(200);
  });

  it('lists by type, and searches by each member', async () => {
    const [pci, sox] = [await make('compliance_frameworks', 'PCI 100%'), await make('compliance_frameworks', 'SOX')];
    const search = async (body: object): Promise<string[]> =>
      (await admin('POST', '/api/v1/search/attributes', body)).body.list.map((one: Loose) => one.value).sort();
    const listed = (await admin('GET', `${values}/types/${framework}/values`)).body.list.map((one: Loose) => one.id);
    expect(listed).toEqual(expect.arrayContaining([pci.id, sox.id]));
    expect((await admin('GET', `${values}/compliance_frameworks`)).body.list.map((one: Loose) => one.id)).toEqual(listed);
    expect((await admin('GET', `${values}/risk_levels`)).body.list.map((one: Loose) => one.id)).not.toContain(sox.id);
    expect(await search({ ids: [pci.id, sox.id] })).toEqual(['PCI 100%', 'SOX']);
    expect(await search({ ids: [pci.id, sox.id], excludeIds: [sox.id] })).toEqual(['PCI 100%']);
    expect(await search({ ids: [pci.id], attributeTypeIds: [risk] })).toEqual([]);
    expect(await search({ value: ' sox ' })).toEqual(['SOX']);
    expect(await search({ value: 'so' })).toEqual([]);
    expect(await search({ query: '0%' })).toEqual(['PCI 100%']);
    expect(await search({ query: 'o', attributeTypeIds: [framework] })).toEqual(['SOX']);
    expect((await request(other, other.admin, 'POST', '/api/v1/search/attributes', { ids: [sox.id] })).body.list).toEqual([]);
  });

  it('takes a deleted value away from the entitlements that carry it, and frees its name', async () => {
    const [gone, stays] = [await make('compliance_frameworks', 'Gone'), await make('compliance_frameworks', 'Stays')];
    const level = await make('risk_levels', 'Passing');
    const appId = (await admin('POST', '/api/v1/apps', { displayName: 'Carrier' })).body.app.id;
    const path = `/api/v1/apps/${appId}/entitlements`;
    const carried = { riskLevelValueId: level.id, complianceFrameworkValueIds: [gone.id, stays.id] };
    const entitlement = (await admin('POST', path, { displayName: 'E', ...carried })).body.appEntitlementView.appEntitlement;
    expect(entitlement).toMatchObject(carried);
    expect((await admin('DELETE', `/api/v1/attribute/${gone.id}`, {})).body).toEqual({});
    expect((await admin('DELETE', `${values}/risk_levels/${level.id}`)).status).toBe(200);
    const after = (await admin('GET', `${path}/${entitlement.id}`)).body.appEntitlementView.appEntitlement;
    expect(after).toMatchObject({ riskLevelValueId: '', complianceFrameworkValueIds: [stays.id] });
    expect((await eventsOf(gone.id))[1]).toEqual({
      kind: 'attribute_value.deleted',
      data: { attributeTypeId: framework, value: 'Gone', entitlementCount: 1, entitlementIds: [entitlement.id] },
    });
    for (const [method, at] of [
      ['GET', `${values}/${gone.id}`],
      ['DELETE', `/api/v1/attribute/${gone.id}`],
      ['GET', `${values}/risk_levels/${level.id}`],
    ] as const) {
      expect((await admin(method, at)).status).toBe(404);
    }
    expect((await make('compliance_frameworks', 'gone')).id).not.toBe(gone.id);
    const refused = await admin('POST', `${path}/${entitlement.id}`, {
      entitlement: { riskLevelValueId: level.id, complianceFrameworkValueIds: [stays.id, gone.id, stays.id] },
    });
    expect(violatedFields(refused)).toEqual(['entitlement.riskLevelValueId', 'entitlement.complianceFrameworkValueIds[1]']);
    // Each at the place where it was sent, and each carried once.
    const doubled = { complianceFrameworkValueIds: [stays.id, stays.id, gone.id] };
    const wrong = await admin('POST', `${path}/${entitlement.id}`, { entitlement: doubled });
    expect(violatedFields(wrong)).toEqual(['entitlement.complianceFrameworkValueIds[2]']);
    expect(violatedFields(await admin('POST', path, { displayName: 'Doubled', ...doubled }))).toEqual(['complianceFrameworkValueIds[2]']);
    const twice = { complianceFrameworkValueIds: [stays.id, stays.id] };
    const once = (await admin('POST', path, { displayName: 'Once', ...twice })).body.appEntitlementView.appEntitlement;
    expect(once.complianceFrameworkValueIds).toEqual([stays.id]);
    expect((await admin('POST', `${path}/${once.id}`, { entitlement: twice })).body.appEntitlementView.appEntitlement).toEqual(once);
    // A framework is no risk level.
    const mixed = await admin('POST', path, { displayName: 'F', riskLevelValueId: stays.id });
    expect(violatedFields(mixed)).toEqual(['riskLevelValueId']);
  });

  it('leaves no entitlement with a value that went meanwhile', async () => {
    const appId = (await admin('POST', '/api/v1/apps', { displayName: 'Racing' })).body.app.id;
    for (let round = 0; round < 5; round++) {
      const level = await make('risk_levels', `Round ${round}`);
      await Promise.all([
        ...[1, 2, 3].map(() =>
          admin('POST', `/api/v1/apps/${appId}/entitlements`, { displayName: `R ${round}`, riskLevelValueId: level.id }),
        ),
        admin('DELETE', `${values}/risk_levels/${level.id}`),
      ]);
      expect((await admin('GET', `${values}/risk_levels/${level.id}`)).status).toBe(404);
      expect((await admin('POST', '/api/v1/search/entitlements', { riskLevelIds: [level.id] })).body.list).toEqual([]);
    }
  });
});
