/** Policies: every field, the starting one, searches, what is refused, and what of a policy can be carried out. */
import { shape } from '../../wire/reply.ts';
import { create, type JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonAt, listMaskPaths, sampleField, sampleOf, valueAt, writableFields } from '../../../test/support/sample-message.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type PolicyJson, PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { PolicyScopeView, SearchPoliciesRequestSchema } from '../../gen/c1/api/policy/v1/policy_service_pb.js';

import { createPolicy } from './create.ts';
import { deletePolicy } from './delete.ts';
import {
  certifySteps,
  ensureBuiltinPolicy,
  fallsBackToAppOwners,
  findDefaultPolicy,
  flattenPolicies,
  listPlanProblems,
  policyLoader,
} from './index.ts';
import { filterOfSearch, getPolicy } from './read.ts';
import { listPolicies, type PolicyRow } from './store.ts';
import { updatePolicy } from './update.ts';
import { shapePolicy } from './view.ts';

const asksManager = { certify: { steps: [{ approval: { manager: {} } }] } };
const certify: JsonObject = { displayName: 'Certify', policyType: 'POLICY_TYPE_CERTIFY', policySteps: asksManager };

/** Values of members of steps, where not just any text or number is one. */
const stepSamples = { condition: 'true', expressions: 'appOwners' };

/** Lists obstacles to a review by a policy that refers to no other, without its name. */
function problemsOf({ id, document }: Pick<PolicyRow, 'id' | 'document'>): string[] {
  return listPlanProblems(flattenPolicies(new Map([[id, document]]), [id])).map((text) =>
    text.replace(/^policy \w+ (is not supported: )?/, ''),
  );
}

/** A sample that is valid: rules and the baseline name another policy, the annotation is ours or unknown. */
function validSample(other: string): JsonObject {
  const sample = sampleOf(PolicySchema, {});
  return { ...sample, baselinePolicyId: other, rules: [{ condition: 'true', policyId: other }], policyType: 'POLICY_TYPE_CERTIFY' };
}

describe('policies', () => {
  let test: TwoTenants;
  const read = async (id: string): Promise<JsonObject> =>
    shape(PolicySchema, shapePolicy(await getPolicy(test.ours.admin, id))) as JsonObject;
  let other: string;
  beforeAll(async () => {
    test = await useTwoTenants();
    other = (await createPolicy(test.ours.admin, certify)).id;
  });
  afterAll(() => test.close());

  it('stores and answers every field', async () => {
    const sample = validSample(other);
    const { id } = await createPolicy(test.ours.admin, sample);
    const policy = await read(id);
    expect(policy).toMatchObject({
      ...sample,
      id,
      systemBuiltin: false,
      createdAt: '2026-03-01T12:00:00Z',
      updatedAt: '2026-03-01T12:00:00Z',
    });
    expect(policy).not.toHaveProperty('deletedAt');
  });

  it.each(['accept', 'action', 'approval', 'form', 'provision', 'reject', 'wait'])(
    'stores and answers a step of kind %s with all it holds',
    async (kind) => {
      const stepDesc = writableFields(PolicySchema).find((field) => field.jsonName === 'policySteps')?.message?.fields[0]?.message;
      const field = stepDesc?.fields.find((one) => one.jsonName === kind);
      const sample = JSON.stringify(field === undefined ? null : sampleField(field, stepSamples)).replace(
        /"expiration":"\d+"/,
        '"expiration":"3600"',
      );
      const policySteps = { certify: { steps: [{ [kind]: JSON.parse(sample) as JsonObject }] } };
      const { id } = await createPolicy(test.ours.admin, { ...certify, policySteps });
      expect(await read(id)).toMatchObject({ policySteps });
    },
  );

  it.each(['agent', 'appOwners', 'entitlementOwners', 'expression', 'group', 'manager', 'resourceOwners', 'self', 'users', 'webhook'])(
    'stores and answers an approval by %s, without what the server assigns',
    async (typ) => {
      const approver = { assignedUserIds: ['x'], userIds: ['u'], fallbackUserIds: ['f'] };
      const sent = {
        ...certify,
        policySteps: { certify: { steps: [{ approval: { [typ]: approver, assigned: true, allowReassignment: true } }] } },
      };
      const policy = await createPolicy(test.ours.admin, sent);
      const [step] = certifySteps(policy.document);
      expect(step).toMatchObject({ approval: { [typ]: {}, assigned: false, allowReassignment: true } });
      expect(JSON.stringify(step)).not.toContain('"x"');
    },
  );

  it.each(listMaskPaths(PolicySchema).map(({ path, field }) => [path, field] as const))(
    'changes %s through a mask alone',
    async (path, field) => {
      const before = path === 'baselinePolicyId' ? { ...certify, policySteps: { other: asksManager.certify } } : certify;
      const { id } = await createPolicy(test.ours.admin, before);
      const value = valueAt(validSample(other), path) ?? sampleField(field, stepSamples);
      await updatePolicy(test.ours.admin, id, { description: 'unmasked', ...jsonAt(path, value) }, [path]);
      const after = await read(id);
      expect({ value: valueAt(after, path) }).toMatchObject({ value });
      expect(after.description).toBe(path === 'description' ? value : '');
    },
  );

  it('changes what was sent where there is no mask, writes an event, and nothing where nothing changes', async () => {
    const { id } = await createPolicy(test.ours.admin, certify);
    await updatePolicy(test.ours.admin, id, { description: 'new', id: 'other', systemBuiltin: true }, undefined);
    await updatePolicy(test.ours.admin, id, { description: 'new' }, undefined);
    expect(await read(id)).toMatchObject({ description: 'new', displayName: 'Certify', systemBuiltin: false, id });
    expect(
      await test.admin(`SELECT data -> 'fields' AS fields FROM events WHERE target_id = $1 AND kind = 'policy.updated'`, [id]),
    ).toEqual([{ fields: ['description'] }]);
    await expect(updatePolicy(test.ours.admin, id, { policyType: 'POLICY_TYPE_GRANT' }, undefined)).rejects.toMatchObject({
      violations: [{ field: 'policy.policyType' }],
    });
    await expect(updatePolicy(test.ours.admin, id, {}, ['systemBuiltin'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('takes fractions in the free members of a step; its events hold them as text', async () => {
    const withQuota = (quota: number) => ({
      certify: { steps: [{ provision: { provisionPolicy: { connector: { account: { config: { quota } } } } } }] },
    });
    const { id } = await createPolicy(test.ours.admin, { ...certify, policySteps: withQuota(0.5) });
    await updatePolicy(test.ours.admin, id, { policySteps: withQuota(1e300) }, undefined);
    expect(await read(id)).toMatchObject({ policySteps: withQuota(1e300) });
    const rows = await test.admin('SELECT data::text FROM events WHERE target_id = $1 ORDER BY id', [id]);
    const quotas = rows.map(({ data }) => [...String(data).matchAll(/"quota": ("[^"]*")/g)].map(([, quota]) => quota).sort());
    expect(quotas).toEqual([['"0.5"'], ['"0.5"', '"1e+300"']]);
  });

  it('says everything that is wrong at once', async () => {
    const wrong: JsonObject = {
      displayName: ' ',
      policySteps: { certify: { steps: [{}, { approval: {} }, { approval: { users: {} } }] } },
      rules: [{ condition: 'true', stepKey: 'nowhere' }],
      annotations: { 'countersign/fallback': 'somebody' },
    };
    const error = await createPolicy(test.ours.admin, wrong).catch((caught: unknown) => caught);
    const { violations } = error as { violations: { field: string; description: string }[] };
    const kinds = 'manager, appOwners, users, self, entitlementOwners, resourceOwners, group, expression, agent, webhook';
    expect(violations[3]?.description).toBe(`must name who approves, as one of ${kinds}`);
    expect(violations.map(({ field }) => field)).toEqual([
      'displayName',
      'policyType',
      'policySteps.certify.steps[0]',
      'policySteps.certify.steps[1].approval',
      'policySteps.certify.steps[2].approval.users.userIds',
      'rules[0]',
      'annotations',
    ]);
  });

  it('refuses waits and escalations that cannot be', async () => {
    const steps: JsonObject[] = [
      { wait: {} },
      { wait: { duration: { duration: '3599s' } } },
      { wait: { condition: { condition: 'true' }, timeoutDuration: '2592001s' } },
      { wait: { untilTime: { hours: 24, timezone: 'Nowhere' } } },
      { approval: { manager: {}, escalationEnabled: true, escalation: { expiration: '59' } } },
      { approval: { manager: {}, escalationEnabled: true, escalation: { expiration: '60', reassignToApprovers: {} } } },
    ];
    const error = await createPolicy(test.ours.admin, { ...certify, policySteps: { certify: { steps } } }).catch(
      (caught: unknown) => caught,
    );
    expect((error as { violations: { field: string }[] }).violations.map(({ field }) => field)).toEqual([
      'policySteps.certify.steps[0].wait',
      'policySteps.certify.steps[1].wait.duration.duration',
      'policySteps.certify.steps[2].wait.timeoutDuration',
      'policySteps.certify.steps[3].wait.untilTime',
      'policySteps.certify.steps[3].wait.untilTime.timezone',
      'policySteps.certify.steps[4].approval.escalation.expiration',
      'policySteps.certify.steps[4].approval.escalation',
      'policySteps.certify.steps[5].approval.escalation.reassignToApprovers.approverIds',
    ]);
  });

  it('starts every tenant with one certify policy, once however many ask', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => ensureBuiltinPolicy(test.theirs.system)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await test.admin('SELECT 1 FROM policies WHERE tenant_id = $1', [test.theirs.tenant.id])).toHaveLength(1);
    expect(await test.admin(`SELECT 1 FROM events WHERE tenant_id = $1 AND kind = 'policy.created'`, [test.theirs.tenant.id])).toHaveLength(
      1,
    );
    const policy = await findDefaultPolicy(test.ours.admin);
    expect(policy).toMatchObject({ systemBuiltin: true, policyType: 'POLICY_TYPE_CERTIFY' });
    expect(fallsBackToAppOwners(policy.document)).toBe(true);
    expect(certifySteps(policy.document)).toMatchObject([{ approval: { manager: { fallback: true } } }]);
    expect(problemsOf(policy)).toEqual([]);
  });

  it('keeps the starting policy: changed but neither deleted nor emptied', async () => {
    const { id } = await ensureBuiltinPolicy(test.ours.admin);
    await expect(deletePolicy(test.ours.admin, id)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', status: 400 });
    await expect(updatePolicy(test.ours.admin, id, {}, ['policySteps'])).rejects.toMatchObject({
      violations: [{ field: 'policy.policySteps' }],
    });
    await updatePolicy(test.ours.admin, id, { displayName: 'House rule' }, undefined);
    expect(await read(id)).toMatchObject({ displayName: 'House rule', systemBuiltin: true });
  });

  it('deletes a policy that nothing chooses, keeps its row, and names what still chooses one', async () => {
    const { id } = await createPolicy(test.ours.admin, certify);
    const draft = 'a-draft';
    await test.ours.system.db.run(
      `INSERT INTO reviews (tenant_id, id, document, created_by_id, created_at, updated_at) VALUES ($1, $2, $3, '', now(), now())`,
      [test.ours.tenant.id, draft, JSON.stringify({ displayName: 'Draft of mine', policyId: id })],
    );
    await expect(deletePolicy(test.ours.admin, id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining(`"Draft of mine" (${draft})`),
    });
    await test.ours.system.db.run(`UPDATE reviews SET state = 'REVIEW' WHERE id = $1`, [draft]);
    await deletePolicy(test.ours.admin, id);
    for (const attempt of [
      () => getPolicy(test.ours.admin, id),
      () => deletePolicy(test.ours.admin, id),
      () => updatePolicy(test.ours.admin, id, {}, undefined),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await policyLoader(test.ours.admin, [id])).get(id)).toMatchObject({ id, deletedAt: new Date('2026-03-01T12:00:00Z') });
  });

  it('is taken out of all that choose it, however many, and of nothing of another tenant', async () => {
    const { id } = await createPolicy(test.ours.admin, certify);
    for (const tenantId of [test.ours.tenant.id, test.theirs.tenant.id]) {
      await test.admin(
        `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($1, 'm', 'M', 'm', now(), now())`,
        [tenantId],
      );
      await test.admin(
        `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, certify_policy_id, created_at, updated_at)
         SELECT $1, 'm', 'm' || lpad(n::text, 5, '0'), 'm' || n, 'M', $2, now(), now() FROM generate_series(1, 5001) AS n`,
        [tenantId, id],
      );
    }
    await deletePolicy(test.ours.admin, id);
    const left = await test.admin(
      'SELECT tenant_id AS tenant, count(*)::int AS n FROM entitlements WHERE certify_policy_id = $1 GROUP BY 1',
      [id],
    );
    expect(left).toEqual([{ tenant: test.theirs.tenant.id, n: 5001 }]);
    const [event] = await test.admin(`SELECT data FROM events WHERE target_id = $1 AND kind = 'policy.deleted'`, [id]);
    expect(event?.data).toMatchObject({
      entitlements: { count: 5001, ids: expect.arrayContaining(['m00001', 'm00100']) },
      apps: { count: 0 },
    });
  });

  it('knows nothing of another tenant', async () => {
    const { id } = await createPolicy(test.ours.admin, certify);
    const { admin } = test.theirs;
    for (const attempt of [
      () => getPolicy(admin, id),
      () => updatePolicy(admin, id, { description: 'x' }, undefined),
      () => deletePolicy(admin, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    }
    expect((await policyLoader(admin, [id])).size).toBe(0);
    expect((await listPolicies(admin, { includeDeleted: true }, '', 1_000)).map((policy) => policy.id)).not.toContain(id);
  });

  it('searches by name, text, type, id and scope, in pages', async () => {
    const { admin } = test.theirs;
    const make = async (sent: JsonObject) => (await createPolicy(admin, { ...certify, ...sent })).id;
    const alpha = await make({ displayName: 'Alpha 100%', description: 'quarterly' });
    const beta = await make({ displayName: 'Beta', policyType: 'POLICY_TYPE_GRANT' });
    const forApp = await make({ displayName: 'Gamma', scope: { appId: 'app1' } });
    const forOther = await make({
      displayName: 'Delta',
      scope: { appId: 'app2', appEntitlementId: 'e', slot: 'POLICY_SCOPE_SLOT_EMERGENCY' },
    });
    const gone = await make({ displayName: 'Gone' });
    await deletePolicy(admin, gone);
    const { id: builtin } = await ensureBuiltinPolicy(admin);
    const search = async (request: Parameters<typeof create<typeof SearchPoliciesRequestSchema>>[1]) =>
      (await listPolicies(admin, filterOfSearch(create(SearchPoliciesRequestSchema, request)), '', 100)).map(({ id }) => id).sort();
    const sorted = (...ids: string[]) => ids.sort();
    expect(await search({})).toEqual(sorted(alpha, beta, forApp, forOther, builtin));
    expect(await search({ displayName: 'ALPHA 100%' })).toEqual([alpha]);
    expect(await search({ displayName: 'ALPHA' })).toEqual([]);
    expect(await search({ query: '0%' })).toEqual([alpha]);
    expect(await search({ displayName: '_' })).toEqual([]);
    expect(await search({ query: 'QUARTER' })).toEqual([alpha]);
    expect(await search({ policyTypes: [1] })).toEqual([beta]);
    expect(await search({ refs: [{ id: beta }, { id: gone }] })).toEqual([beta]);
    expect(await search({ refs: [{ id: beta }, { id: gone }], includeDeleted: true })).toEqual(sorted(beta, gone));
    expect(await search({ excludePolicyIds: [alpha, builtin] })).toEqual(sorted(beta, forApp, forOther));
    expect(await search({ scopeView: PolicyScopeView.GLOBAL })).toEqual(sorted(alpha, beta, builtin));
    expect(await search({ scopeView: PolicyScopeView.SCOPED })).toEqual(sorted(forApp, forOther));
    expect(await search({ scopeAppId: 'app1' })).toEqual([forApp]);
    expect(await search({ scopeAppEntitlementId: 'e', scopeSlot: 1 })).toEqual([forOther]);
    expect(await search({ scopeView: PolicyScopeView.GLOBAL_AND_OBJECT, scopeAppId: 'app1' })).toEqual(
      sorted(alpha, beta, forApp, builtin),
    );
    const first = await listPolicies(admin, {}, '', 2);
    const rest = await listPolicies(admin, {}, first[1]?.id ?? '', 100);
    expect([...first, ...rest].map(({ id }) => id)).toEqual(sorted(alpha, beta, forApp, forOther, builtin));
  });

  const unsupported: [string, PolicyJson['policySteps'], string[]][] = [
    ['manager', asksManager, []],
    ['app owners', { certify: { steps: [{ approval: { appOwners: {} } }] } }, []],
    [
      'people, then the person themselves',
      { certify: { steps: [{ approval: { users: { userIds: ['u'] } } }, { approval: { self: {} } }] } },
      [],
    ],
    [
      'accept',
      { certify: { steps: [{ accept: {} }] } },
      ['its policies ask no person about anything: every chain of steps decides by itself'],
    ],
    ['the only key', { other: { steps: [{ approval: { manager: {} } }] } }, []],
    [
      'no steps for reviews',
      { a: { steps: [{ accept: {} }] }, b: { steps: [] } },
      ['it has no certify steps and builds on no other policy, so it has no reviewers'],
    ],
    [
      'wait',
      { certify: { steps: [{ wait: { duration: { duration: '3600s' } } }] } },
      ['its policies ask no person about anything: every chain of steps decides by itself'],
    ],
    ['form', { certify: { steps: [{ approval: { manager: {} } }, { form: {} }] } }, ["step 2 is of kind 'form'"]],
    ['expression', { certify: { steps: [{ approval: { expression: { expressions: ['appOwners'] } } }] } }, []],
    ['webhook', { certify: { steps: [{ approval: { webhook: {} } }] } }, ["step 1 asks by 'webhook'"]],
    ['group', { certify: { steps: [{ approval: { group: {} } }] } }, []],
    [
      'escalation',
      { certify: { steps: [{ approval: { manager: {}, escalationEnabled: true, escalation: { expiration: '60', skipStep: {} } } }] } },
      [],
    ],
    [
      'step-up',
      { certify: { steps: [{ approval: { manager: {}, requiresStepUpProviderId: 'p' } }] } },
      ['step 1 requires a second sign-in'],
    ],
  ];
  it.each(unsupported)('says what it cannot carry out: %s', async (_name, policySteps, expected) => {
    expect(problemsOf(await createPolicy(test.ours.admin, { ...certify, policySteps }))).toEqual(expected);
  });
});
