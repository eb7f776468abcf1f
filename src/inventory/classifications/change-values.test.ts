/** Making and deleting values: what is refused, what the events record, and what a deletion does to the entitlements that carry the value. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTwoTenants, type TestTenant, type TwoTenants } from '../../../test/support/tenants.ts';
import { isAppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { deleteValue } from '../catalog/apps/delete-value.ts';
import { createApp } from '../catalog/apps/create-app.ts';
import { COMPLIANCE_FRAMEWORK, RISK_LEVEL } from './attribute-types.ts';
import { createValue, createValueOfType } from './change-values.ts';
import { findWrongValues, requireValue } from './require.ts';

interface Carrier {
  readonly id: string;
  readonly risk: string;
  readonly frameworks: readonly string[];
  readonly updatedAt: Date;
}

describe('values of attributes', () => {
  let two: TwoTenants;
  let admin: Context;
  let appId: string;
  let round = 0;
  const codeOf = async (work: () => Promise<unknown>): Promise<string> => {
    try {
      await work();
      return 'done';
    } catch (error) {
      return isAppError(error) ? error.code : String(error);
    }
  };
  const eventsOf = (id: string): Promise<{ kind: string; data: Record<string, unknown> }[]> =>
    admin.db.rows('SELECT kind, data FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [admin.tenantId, id]);

  /** Adds entitlements that carry these, and returns their ids in order. */
  async function carry(tenant: TestTenant, app: string, count: number, risk: string, frameworks: readonly string[]): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId(tenant.system.now)).sort();
    await tenant.system.db.run(
      `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, risk_level_value_id, compliance_framework_value_ids, created_at, updated_at)
       SELECT $1, $2, id, id, id, $4, $5, $6, $6 FROM unnest($3::text[]) AS n (id)`,
      [tenant.tenant.id, app, ids, risk, frameworks, new Date('2020-01-01T00:00:00Z')],
    );
    return ids;
  }
  const carriers = (context: Context, ids: readonly string[]): Promise<Carrier[]> =>
    context.db.rows<Carrier>(
      `SELECT id, risk_level_value_id AS risk, compliance_framework_value_ids AS frameworks, updated_at AS "updatedAt" FROM entitlements
       WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id`,
      [context.tenantId, ids],
    );

  beforeAll(async () => {
    two = await useTwoTenants();
    admin = two.ours.admin;
  });
  beforeEach(async () => {
    appId = (await createApp(admin, { displayName: `App ${++round}` }, [])).id;
  });
  afterAll(() => two.close());

  it('are made as they are written, less the spaces around them, with an event each', async () => {
    const made = await createValue(admin, RISK_LEVEL, '  Very  High ');
    expect(made).toMatchObject({ value: 'Very  High', typeId: RISK_LEVEL.id, createdAt: admin.now, updatedAt: admin.now });
    expect(await eventsOf(made.id)).toEqual([
      { kind: 'attribute_value.created', data: { attributeTypeId: RISK_LEVEL.id, value: 'Very  High' } },
    ]);
    expect(await createValueOfType(admin, COMPLIANCE_FRAMEWORK.id, 'Very  High')).toMatchObject({ typeId: COMPLIANCE_FRAMEWORK.id });
  });

  it('are refused before anything is written', async () => {
    await createValue(admin, RISK_LEVEL, 'Taken');
    const count = (): Promise<{ events: number }> =>
      admin.db.one('SELECT count(*) AS events FROM events WHERE tenant_id = $1', [admin.tenantId]);
    const before = await count();
    expect(await codeOf(() => createValue(admin, RISK_LEVEL, ' tAKEN'))).toBe('CONFLICT');
    expect(await codeOf(() => createValue(admin, RISK_LEVEL, '\t'))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(() => createValue(admin, RISK_LEVEL, 'x'.repeat(201)))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(() => createValueOfType(admin, 'no such type', 'x'))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(() => deleteValue(admin, 'nobody'))).toBe('NOT_FOUND');
    expect(await count()).toEqual(before);
  });

  it('that are deleted leave every entitlement, and the event says how many and which first', async () => {
    const [gone, stays] = [await createValue(admin, COMPLIANCE_FRAMEWORK, 'Gone'), await createValue(admin, COMPLIANCE_FRAMEWORK, 'Stays')];
    const level = await createValue(admin, RISK_LEVEL, 'Level');
    const many = await carry(two.ours, appId, 150, level.id, [stays.id, gone.id]);
    const without = await carry(two.ours, appId, 3, level.id, [stays.id]);
    const { id: theirApp } = await createApp(two.theirs.admin, { displayName: `App ${round}` }, []);
    const theirs = await carry(two.theirs, theirApp, 2, level.id, [gone.id]);
    // One that was deleted says nothing of what is gone, either, should it come back.
    await admin.db.run('UPDATE entitlements SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2', [admin.tenantId, many[0], admin.now]);

    await deleteValue(admin, gone.id, COMPLIANCE_FRAMEWORK);
    for (const one of await carriers(admin, many)) {
      expect(one).toMatchObject({ risk: level.id, frameworks: [stays.id], updatedAt: admin.now });
    }
    for (const one of [...(await carriers(admin, without)), ...(await carriers(two.theirs.admin, theirs))]) {
      expect(one.updatedAt).toEqual(new Date('2020-01-01T00:00:00Z'));
      expect(one.frameworks).toHaveLength(1);
    }
    expect((await eventsOf(gone.id))[1]).toEqual({
      kind: 'attribute_value.deleted',
      data: { attributeTypeId: COMPLIANCE_FRAMEWORK.id, value: 'Gone', entitlementCount: 150, entitlementIds: many.slice(0, 100) },
    });

    await deleteValue(admin, level.id);
    expect((await carriers(admin, [...many, ...without])).map(({ risk }) => risk)).toEqual(Array(153).fill(''));
    expect((await eventsOf(level.id))[1]?.data).toMatchObject({ entitlementCount: 153 });
    expect(await codeOf(() => deleteValue(admin, level.id))).toBe('NOT_FOUND');
    expect(await codeOf(() => requireValue(admin, gone.id))).toBe('NOT_FOUND');
  });

  it('are not there for another type or another tenant', async () => {
    const { id } = await createValue(admin, RISK_LEVEL, 'Ours');
    const [entitlementId = ''] = await carry(two.ours, appId, 1, id, []);
    expect(await codeOf(() => deleteValue(admin, id, COMPLIANCE_FRAMEWORK))).toBe('NOT_FOUND');
    expect(await codeOf(() => deleteValue(two.theirs.admin, id))).toBe('NOT_FOUND');
    expect(await codeOf(() => requireValue(admin, id, COMPLIANCE_FRAMEWORK))).toBe('NOT_FOUND');
    expect(await codeOf(() => requireValue(two.theirs.admin, id))).toBe('NOT_FOUND');
    expect((await carriers(admin, [entitlementId]))[0]?.risk).toBe(id);
    expect((await requireValue(admin, id, RISK_LEVEL)).value).toBe('Ours');
  });

  it('that an entitlement may not carry are named, each at its place', async () => {
    const risk = await createValue(admin, RISK_LEVEL, 'A risk');
    const framework = await createValue(admin, COMPLIANCE_FRAMEWORK, 'A framework');
    const wrong = async (riskLevelValueId: string, ...complianceFrameworkValueIds: string[]): Promise<string[]> =>
      (await findWrongValues(admin, { riskLevelValueId, complianceFrameworkValueIds }, 'e.')).map(({ field }) => field);
    expect(await wrong('')).toEqual([]);
    expect(await wrong(risk.id, framework.id)).toEqual([]);
    expect(await wrong(framework.id, risk.id, framework.id, 'nobody')).toEqual([
      'e.riskLevelValueId',
      'e.complianceFrameworkValueIds[0]',
      'e.complianceFrameworkValueIds[2]',
    ]);
    const inTheirs = await findWrongValues(
      two.theirs.admin,
      { riskLevelValueId: risk.id, complianceFrameworkValueIds: [framework.id] },
      '',
    );
    expect(inTheirs).toHaveLength(2);
    expect(inTheirs[0]?.description).toContain(risk.id);
    const [long] = await findWrongValues(admin, { riskLevelValueId: 'x'.repeat(5000), complianceFrameworkValueIds: [] }, '');
    expect(long?.description.length).toBeLessThan(150);
  });
});
