/** Resource types, resources and entitlements of one app that were stored under two spellings of one name, as a release before did, are made one. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { addTask, addTasksOf } from '../../../test/support/tasks.ts';
import { inTransaction } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { importGrants } from '../../inventory/syncs/import-grants.ts';
import { listGroupMembers } from '../../governance/tasks/policy-engine/store-eligible.ts';
import { hasAccess } from '../../governance/tasks/batches/store-gone.ts';
import { getLinksAtSql } from '../../governance/snapshots/items/store-links.ts';
import { sql } from '../../lib/sql.ts';
import { mergeNamesJob } from './merge-names.ts';

const removals = useRemovals(['ann', 'bob', 'cy', 'dee']);
const header = 'account,email,resource_type,resource,entitlement,granted_via';
const nfc = { type: 'R\u00f6le', resource: 'B\u00fcro', pay: 'L\u00f6hne' };
const nfd = { type: 'Ro\u0308le', resource: 'Bu\u0308ro', pay: 'Lo\u0308hne' };

const tenantId = (): string => removals.test.ours.tenant.id;
const admin = (text: string, values: readonly unknown[] = []) => removals.test.admin(text, values);
const merge = (now: Date): Promise<number> => removals.run(mergeNamesJob, tenantId(), now);

async function sync(app: string, rows: readonly string[], now: Date, isRehearsal = false): Promise<Record<string, unknown>> {
  const body = Readable.from([[header, ...rows, ''].join('\n')]);
  const companion = isRehearsal
    ? { isRehearsal, guard: (isAllowed: boolean) => ({ isAllowed }), end: () => Promise.reject(new Error('as it was')) }
    : undefined;
  const done = await importGrants(removals.at(now), { app, allowRemovals: true, source: '' }, { body, encoding: '' }, companion);
  await removals.verify(now);
  const { added, removed, counts } = done;
  return { added, removed, ...Object.fromEntries(Object.entries(counts ?? {}).map(([kind, { added: n }]) => [kind, n])) };
}

const nothingNew = { added: 0, removed: 0, accounts: 0, resourceTypes: 0, resources: 0, entitlements: 0, grants: 0 };

/** What is stored of an app, by the names it was first imported under. */
type Ids = Readonly<Record<'appId' | 'type1' | 'type2' | 'hall1' | 'hall2' | 'pay1' | 'pay2' | 'wiki', string>>;

const held = ['ann,ann@example.com', 'bob,bob@example.com', 'cy,cy@example.com'] as const;

/** Imports two of each, the second of them later, and writes the names of the second as the first ones' in another form. */
async function store(app: string, extra: readonly string[] = []): Promise<Ids> {
  const first = [`${held[0]},t1,h1,pay1,`, `${held[1]},t1,h1,pay1,`];
  await sync(app, first, june(1));
  await sync(app, [...first, `${held[0]},t2,h2,pay2,`, `${held[2]},t2,h2,pay2,`, `${held[1]},t2,h2,wiki,`, ...extra], june(2));
  const [ids] = await admin(
    `SELECT p.id AS "appId", max(t.id) FILTER (WHERE t.external_id = 't1') AS type1, max(t.id) FILTER (WHERE t.external_id = 't2') AS type2,
       max(r.id) FILTER (WHERE r.external_id = 'h1') AS hall1, max(r.id) FILTER (WHERE r.external_id = 'h2') AS hall2,
       max(e.id) FILTER (WHERE e.external_id = 'pay1') AS pay1, max(e.id) FILTER (WHERE e.external_id = 'pay2') AS pay2,
       max(e.id) FILTER (WHERE e.external_id = 'wiki') AS wiki
     FROM apps p JOIN entitlements e ON e.tenant_id = p.tenant_id AND e.app_id = p.id
     JOIN resources r ON r.tenant_id = p.tenant_id AND r.app_id = p.id AND r.id = e.resource_id
     JOIN resource_types t ON t.tenant_id = p.tenant_id AND t.app_id = p.id AND t.id = r.resource_type_id
     WHERE p.tenant_id = $1 AND p.display_name = $2 GROUP BY p.id`,
    [tenantId(), app],
  );
  const found = ids as unknown as Ids;
  for (const [table, id, name, twin] of [
    ['resource_types', found.type1, nfc.type, 0],
    ['resource_types', found.type2, nfd.type, 1],
    ['resources', found.hall1, nfc.resource, 0],
    ['resources', found.hall2, nfd.resource, 0],
    ['entitlements', found.pay1, nfc.pay, 0],
    ['entitlements', found.pay2, nfd.pay, 0],
  ] as const) {
    await admin(`UPDATE ${table} SET external_id = $2, twin = $3 WHERE id = $1`, [id, name, twin]);
  }
  return found;
}

const rowsIn = ({ type, resource, pay }: typeof nfc): string[] => [
  ...held.map((account) => `${account},${type},${resource},${pay},`),
  `${held[1]},${type},${resource},wiki,`,
];

const stateOf = (table: string, ids: readonly string[]): Promise<Record<string, unknown>[]> =>
  admin(
    `SELECT id, external_key AS key, deleted_at IS NOT NULL AS gone, merged_into_id AS into FROM ${table} WHERE id = ANY ($1) ORDER BY id`,
    [ids],
  );

const holdersAt = (appId: string, revision: number | null): Promise<Record<string, unknown>[]> =>
  admin(
    `SELECT g.entitlement_id AS entitlement, array_agg(a.external_id ORDER BY a.external_id) AS held FROM grants g
     JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND NOT g.is_derived AND g.added_revision <= coalesce($3, g.added_revision)
       AND (g.removed_revision IS NULL OR g.removed_revision > $3) GROUP BY 1 ORDER BY 1`,
    [tenantId(), appId, revision],
  );

const lastRevision = async (): Promise<number> =>
  Number((await admin('SELECT max(revision)::int AS last FROM inventory_revisions WHERE tenant_id = $1', [tenantId()]))[0]?.['last']);

it('with what is in them, and what was held before is as it was', async () => {
  const ids = await store('Desk');
  const before = await lastRevision();
  const was = await holdersAt(ids.appId, before);
  expect(await merge(june(3))).toBe(3);
  expect(await stateOf('resource_types', [ids.type1, ids.type2])).toEqual([
    { id: ids.type1, key: nfc.type, gone: false, into: null },
    { id: ids.type2, key: `${nfc.type}\u001f1`, gone: true, into: ids.type1 },
  ]);
  expect(await stateOf('resources', [ids.hall1, ids.hall2])).toEqual([
    { id: ids.hall1, key: nfc.resource, gone: false, into: null },
    { id: ids.hall2, key: `${nfc.resource}\u001f1`, gone: true, into: ids.hall1 },
  ]);
  expect(await stateOf('entitlements', [ids.pay1, ids.pay2, ids.wiki])).toEqual([
    { id: ids.pay1, key: nfc.pay, gone: false, into: null },
    { id: ids.pay2, key: `${nfc.pay}\u001f1`, gone: true, into: ids.pay1 },
    { id: ids.wiki, key: 'wiki', gone: false, into: null },
  ]);
  expect(await holdersAt(ids.appId, null)).toEqual([
    { entitlement: ids.pay1, held: ['ann', 'bob', 'cy'] },
    { entitlement: ids.wiki, held: ['bob'] },
  ]);
  expect(await holdersAt(ids.appId, before)).toEqual(was);
  expect(
    await admin(
      `SELECT kind, target_id AS id, data ->> 'fromId' AS "fromId", data ->> 'name' AS name,
         coalesce(data ->> 'resourcesGained', data ->> 'entitlementsGained', data ->> 'grantsGained') AS gained
       FROM events WHERE tenant_id = $1 AND data ->> 'appId' = $2 AND kind LIKE '%.merged' ORDER BY (data ->> 'revision')::int`,
      [tenantId(), ids.appId],
    ),
  ).toEqual([
    { kind: 'resource_type.merged', id: ids.type1, fromId: ids.type2, name: `"${nfc.type}"`, gained: '1' },
    { kind: 'resource.merged', id: ids.hall1, fromId: ids.hall2, name: `"${nfc.resource}"`, gained: '2' },
    { kind: 'entitlement.merged', id: ids.pay1, fromId: ids.pay2, name: `"${nfc.pay}"`, gained: '1' },
  ]);
  const counts = await admin(
    `SELECT e.id, e.grant_count = (SELECT count(*) FROM grants g WHERE g.tenant_id = e.tenant_id AND g.entitlement_id = e.id AND g.removed_revision IS NULL) AS ok,
       e.resource_id AS resource, e.resource_type_id AS type
     FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND NOT e.is_app_access ORDER BY e.id`,
    [tenantId(), ids.appId],
  );
  expect(counts).toEqual([ids.pay1, ids.pay2, ids.wiki].map((id) => ({ id, ok: true, resource: ids.hall1, type: ids.type1 })));
  // Once more, and in whichever spelling the source writes it, nothing is added and nothing ends.
  expect(await merge(june(4))).toBe(0);
  for (const [day, names] of [
    [5, nfd],
    [6, nfc],
  ] as const) {
    expect(await sync('Desk', rowsIn(names), june(day))).toEqual(nothingNew);
  }
});

it('before an import of the app that comes first, but not before a dry run', async () => {
  const ids = await store('Early');
  await sync('Early', rowsIn(nfd), june(3), true).catch((error: unknown) => expect(error).toMatchObject({ message: 'as it was' }));
  expect(await stateOf('entitlements', [ids.pay2])).toMatchObject([{ gone: false }]);
  expect(await sync('Early', rowsIn(nfd), june(4))).toEqual(nothingNew);
  expect(await holdersAt(ids.appId, null)).toMatchObject([{ held: ['ann', 'bob', 'cy'] }, { held: ['bob'] }]);
  expect(
    await admin(`SELECT actor_kind FROM events WHERE tenant_id = $1 AND data ->> 'appId' = $2 AND kind = 'entitlement.merged'`, [
      tenantId(),
      ids.appId,
    ]),
  ).toEqual([{ actor_kind: 'system' }]);
  expect(await merge(june(5))).toBe(0);
});

it('and what asks about the younger one follows: removals, and tasks of reviews that run', async () => {
  const ids = await store('Asked');
  const open = await removals.request('Asked', 'cy', nfd.pay, june(3));
  const { db } = removals.test.ours.system;
  const found = await removals.find('Asked', 'ann', nfd.pay);
  expect(found.entitlementId).toBe(ids.pay2);
  const reviewId = await addTasksOf(db, tenantId());
  const taskId = await addTask(db, tenantId(), { reviewId, ...found, isHeld: false });
  await merge(june(4));
  await removals.verify(june(4));
  const removalOf = async (id: string): Promise<unknown> =>
    (await admin('SELECT entitlement_id AS id, state FROM revocations WHERE id = $1', [id]))[0];
  expect(await removalOf(open)).toEqual({ id: ids.pay1, state: 'IN_PROGRESS' });
  expect(await hasAccess(removals.at(june(4)), taskId)).toBe(true);
  // Denied only now, it is removed from the entitlement that is there.
  await removals.decide(taskId, 'DECERTIFIED', june(5));
  const [denied] = await admin('SELECT entitlement_id AS id, state FROM revocations WHERE certify_task_id = $1', [taskId]);
  expect(denied).toEqual({ id: ids.pay1, state: 'HELD' });
  // Held under the other spelling it is not proven; without it, it is.
  expect(await sync('Asked', rowsIn(nfd), june(15))).toEqual(nothingNew);
  expect(await removalOf(open)).toMatchObject({ state: 'IN_PROGRESS' });
  await sync(
    'Asked',
    rowsIn(nfd).filter((row) => !row.startsWith('cy')),
    june(16),
  );
  expect(await removalOf(open)).toMatchObject({ state: 'VERIFIED' });
});

it('and whatever names them names those that stay', async () => {
  const ids = await store('Named', [`dee,dee@example.com,t3,h3,gate,t2/h2/pay2`, `dee,dee@example.com,t2,h2,pay2,`]);
  const [gate] = await admin(`SELECT id, resource_id FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND external_id = 'gate'`, [
    tenantId(),
    ids.appId,
  ]);
  const gateId = String(gate?.['id']);
  const insert = async (table: string, row: Record<string, unknown>, times: readonly string[] = ['created_at']): Promise<void> => {
    const columns = Object.keys(row);
    await admin(
      `INSERT INTO ${table} (tenant_id, ${[...columns, ...times].join(', ')})
       VALUES ($1, ${columns.map((_, at) => `$${at + 3}`).join(', ')}, ${times.map(() => '$2').join(', ')})`,
      [tenantId(), june(2), ...Object.values(row)],
    );
  };
  const both = ['created_at', 'updated_at'];
  const app = { app_id: ids.appId };
  const dee = String((await admin(`SELECT id FROM users WHERE tenant_id = $1 AND email = 'dee@example.com'`, [tenantId()]))[0]?.['id']);
  const id = (): string => newId(june(2));
  const [template, draft, frozen, monitor, policy, profile, alert] = [id(), id(), id(), id(), id(), id(), id()];
  await insert('entitlement_owners', { ...app, entitlement_id: ids.pay2, user_id: dee });
  await insert('resource_owners', { ...app, resource_id: ids.hall2, user_id: dee });
  await insert('owner_entitlements', {
    kind: 'resource',
    ...app,
    object_id: gate?.['resource_id'],
    owner_app_id: ids.appId,
    owner_entitlement_id: ids.pay2,
  });
  const says = JSON.stringify({
    multiApp: {
      appEntitlements: { [ids.appId]: { appId: ids.appId, entitlementIds: [ids.pay2, ids.pay1, gateId] } },
      appEntitlementDetails: {
        [ids.appId]: { entitlementDetails: { [ids.pay2]: { appId: ids.appId, entitlementId: ids.pay2, policyId: policy } } },
      },
    },
    condition: `entitlement.id == "${ids.pay2}" || entitlement.id == '${ids.wiki}'`,
    types: [ids.type2, 1, 1],
  });
  await insert('review_templates', { id: template, document: says, created_by_id: dee }, both);
  for (const [reviewId, state, prepared] of [
    [draft, 'DRAFT', null],
    [frozen, 'CLOSED', 1],
  ] as const) {
    await insert('reviews', { id: reviewId, state, document: says, created_by_id: dee, prepared_revision: prepared }, both);
    await insert('review_setup_entitlements', { review_id: reviewId, ...app, entitlement_id: ids.pay2 }, both);
    await insert('review_setup_resource_types', { review_id: reviewId, ...app, resource_type_id: ids.type2 });
    for (const [place, entry] of [
      { list: 'EXCLUSION', kind: 'ENTITLEMENT', entitlement_id: ids.pay1 },
      { list: 'EXCLUSION', kind: 'ENTITLEMENT', entitlement_id: ids.pay2 },
      { list: 'EXCLUSION', kind: 'RESOURCE_TYPE', object_id: ids.type2 },
      { list: 'RESOURCE', object_id: ids.hall2 },
      { list: 'SCOPE_ROLE', object_id: ids.hall1, role_resource_id: ids.hall2 },
    ].entries()) {
      await insert('scope_entries', { subject_id: reviewId, place, ...app, ...entry });
    }
  }
  await admin(
    `INSERT INTO review_entitlements (tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id, resource_type_display_name, resource_id,
       resource_display_name, display_name, description, policy_id) VALUES ($1, $2, $3, $4, '', $5, '', $6, '', '', '', '')`,
    [tenantId(), frozen, ids.appId, ids.pay2, ids.type2, ids.hall2],
  );
  await insert('template_entitlements', { template_id: template, ...app, entitlement_id: ids.pay2 });
  await insert('template_entitlements', { template_id: template, ...app, entitlement_id: ids.pay1 });
  await insert('template_resource_types', { template_id: template, ...app, resource_type_id: ids.type2 });
  await insert(
    'policies',
    {
      id: policy,
      display_name: 'By group',
      policy_type: 'POLICY_TYPE_CERTIFY',
      document: JSON.stringify({
        policySteps: { certify: { steps: [{ approval: { group: { appId: ids.appId, appGroupId: ids.pay2 } } }] } },
      }),
    },
    both,
  );
  await insert('access_profiles', { id: profile, display_name: 'Pay', created_by_id: dee, document: '{}' }, both);
  await insert('access_profile_entitlements', { profile_id: profile, part: 'REQUESTABLE', ...app, entitlement_id: ids.pay2 });
  await insert('conflict_monitors', { id: monitor, display_name: 'Two', enabled: true, set_a_id: 'a', set_b_id: 'b' }, both);
  await insert('conflict_entitlements', { monitor_id: monitor, ...app, entitlement_id: ids.pay2, side: 'A' });
  await insert('conflict_entitlements', { monitor_id: monitor, ...app, entitlement_id: gateId, side: 'B' });
  await insert(
    'conflict_alerts',
    {
      id: alert,
      monitor_id: monitor,
      principal: dee,
      user_id: dee,
      state: 'ACTIVE',
      change_id: '',
      entitlements: JSON.stringify([{ appId: ids.appId, appEntitlementId: ids.pay2, group: 'A' }]),
    },
    ['activated_at', 'updated_at'],
  );
  const [source] = await admin(`SELECT id FROM sources WHERE tenant_id = $1 AND app_id = $2`, [tenantId(), ids.appId]);
  await insert(
    'scim_resources',
    { source_id: source?.['id'], id: 'g', kind: 'GROUP', name_key: 'g', document: '{}', entitlement_id: ids.pay2 },
    both,
  );
  await admin(`UPDATE entitlements SET alias = 'wages', description = 'All wages', document = $2 WHERE id = $1`, [
    ids.pay2,
    JSON.stringify({ isEmergencyAccess: true }),
  ]);
  await admin(`UPDATE entitlements SET document = $2 WHERE id = $1`, [
    gateId,
    JSON.stringify({ provisionerPolicy: { delegated: { appId: ids.appId, entitlementId: ids.pay2 } } }),
  ]);
  await admin(`UPDATE resources SET document = $2 WHERE id = $1`, [
    gate?.['resource_id'],
    JSON.stringify({ parentAppResourceId: ids.hall2, parentAppResourceTypeId: ids.type2 }),
  ]);
  const before = await lastRevision();

  expect(await merge(june(3))).toBe(3);
  const list = async (text: string): Promise<unknown[]> => (await admin(text, [tenantId()])).map((row) => Object.values(row));
  expect(
    await list(`SELECT entitlement_id, role_slug FROM entitlement_owners WHERE tenant_id = $1 AND entitlement_id = '${ids.pay1}'`),
  ).toHaveLength(1);
  expect(await list(`SELECT owner_count FROM resources WHERE tenant_id = $1 AND id = '${ids.hall1}'`)).toEqual([[1]]);
  expect(await list(`SELECT owner_entitlement_id FROM owner_entitlements WHERE tenant_id = $1`)).toEqual([[ids.pay1]]);
  expect(await list(`SELECT entitlement_id FROM template_entitlements WHERE tenant_id = $1`)).toEqual([[ids.pay1]]);
  expect(await list(`SELECT resource_type_id FROM template_resource_types WHERE tenant_id = $1`)).toEqual([[ids.type1]]);
  expect(await list(`SELECT entitlement_id FROM access_profile_entitlements WHERE tenant_id = $1`)).toEqual([[ids.pay1]]);
  expect(await list(`SELECT entitlement_id FROM conflict_entitlements WHERE tenant_id = $1 AND side = 'A'`)).toEqual([[ids.pay1]]);
  expect(await list(`SELECT state, entitlements -> 0 ->> 'appEntitlementId' FROM conflict_alerts WHERE tenant_id = $1`)).toEqual([
    ['ACTIVE', ids.pay1],
  ]);
  expect(await list(`SELECT entitlement_id FROM scim_resources WHERE tenant_id = $1 AND kind = 'GROUP'`)).toEqual([[ids.pay1]]);
  expect(
    await list(
      `SELECT document #>> '{policySteps,certify,steps,0,approval,group,appGroupId}' FROM policies WHERE tenant_id = $1 AND id = '${policy}'`,
    ),
  ).toEqual([[ids.pay1]]);
  expect(
    await list(
      `SELECT document #>> '{provisionerPolicy,delegated,entitlementId}' FROM entitlements WHERE tenant_id = $1 AND id = '${gateId}'`,
    ),
  ).toEqual([[ids.pay1]]);
  expect(
    await list(
      `SELECT parent_id, document ->> 'parentAppResourceTypeId' FROM resources WHERE tenant_id = $1 AND id = '${String(gate?.['resource_id'])}'`,
    ),
  ).toEqual([[ids.hall1, ids.type1]]);
  expect(
    await list(`SELECT alias, description, document ->> 'isEmergencyAccess' FROM entitlements WHERE tenant_id = $1 AND id = '${ids.pay1}'`),
  ).toEqual([['wages', 'All wages', 'true']]);
  const renamed = {
    multiApp: {
      appEntitlements: { [ids.appId]: { appId: ids.appId, entitlementIds: [ids.pay1, gateId] } },
      appEntitlementDetails: {
        [ids.appId]: { entitlementDetails: { [ids.pay1]: { appId: ids.appId, entitlementId: ids.pay1, policyId: policy } } },
      },
    },
    condition: `entitlement.id == "${ids.pay1}" || entitlement.id == '${ids.wiki}'`,
    types: [ids.type1, 1],
  };
  expect(await list(`SELECT document FROM review_templates WHERE tenant_id = $1 AND id = '${template}'`)).toEqual([[renamed]]);
  expect(await list(`SELECT document FROM reviews WHERE tenant_id = $1 AND id = '${draft}'`)).toEqual([[renamed]]);
  expect(await list(`SELECT document FROM reviews WHERE tenant_id = $1 AND id = '${frozen}'`)).toEqual([[JSON.parse(says)]]);
  const scopeOf = (reviewId: string): Promise<unknown[]> =>
    list(
      `(SELECT s.entitlement_id, s.object_id, s.role_resource_id FROM scope_entries s WHERE s.tenant_id = $1 AND s.subject_id = '${reviewId}' ORDER BY s.place)
       UNION ALL SELECT entitlement_id, '', 'chosen' FROM review_setup_entitlements WHERE tenant_id = $1 AND review_id = '${reviewId}'
       UNION ALL SELECT '', resource_type_id, 'chosen' FROM review_setup_resource_types WHERE tenant_id = $1 AND review_id = '${reviewId}'`,
    );
  expect(await scopeOf(draft)).toEqual([
    [ids.pay1, '', ''],
    ['', ids.type1, ''],
    ['', ids.hall1, ''],
    ['', ids.hall1, ids.hall1],
    [ids.pay1, '', 'chosen'],
    ['', ids.type1, 'chosen'],
  ]);
  expect(await scopeOf(frozen)).toEqual([
    [ids.pay1, '', ''],
    [ids.pay2, '', ''],
    ['', ids.type2, ''],
    ['', ids.hall2, ''],
    ['', ids.hall1, ids.hall2],
    [ids.pay2, '', 'chosen'],
    ['', ids.type2, 'chosen'],
  ]);
  // What is inherited by way of the younger one is inherited by way of the oldest, and was by the younger one's before.
  expect(await list(`SELECT paths FROM grants WHERE tenant_id = $1 AND entitlement_id = '${gateId}' AND removed_revision IS NULL`)).toEqual(
    [[[[ids.pay1]]]],
  );
  expect(
    await list(`SELECT from_entitlement_id, to_entitlement_id FROM entitlement_links WHERE tenant_id = $1 AND removed_revision IS NULL`),
  ).toEqual([[ids.pay1, gateId]]);
  const { db } = removals.test.ours.system;
  const passedOn = async (resourceId: string, revision: number): Promise<string[]> =>
    (
      await db.rows<{ id: string }>(
        sql`SELECT l.entitlement_id AS id FROM (SELECT ${ids.appId}::text AS app_id, ${resourceId}::text AS account_id, 'R' AS principal_kind) c
          CROSS JOIN LATERAL (${getLinksAtSql(tenantId(), revision)}) l`,
      )
    ).map((row) => row.id);
  const now = await lastRevision();
  expect([await passedOn(ids.hall1, before), await passedOn(ids.hall2, before)]).toEqual([[], [gateId]]);
  expect([await passedOn(ids.hall1, now), await passedOn(ids.hall2, now)]).toEqual([[gateId], []]);
  // Steps of reviews that run ask who holds what they name by now, and who owned what they ask about.
  expect(await listGroupMembers(removals.at(june(4)), { appId: ids.appId, entitlementId: ids.pay2 }, 10)).toContain(dee);
  expect(await list(`SELECT 1 FROM entitlement_owners WHERE tenant_id = $1 AND entitlement_id = '${ids.pay2}'`)).toHaveLength(1);
});

it('and a piece that was killed is done again, whole', async () => {
  const ids = await store('Killed');
  const before = await holdersAt(ids.appId, null);
  const killed = new Error('killed');
  for (const kind of ['RESOURCE_TYPE', 'RESOURCE', 'ENTITLEMENT']) {
    const job = { subjectId: tenantId(), cursor: { kind, appId: '', id: '' }, done: 0, total: 0 } as unknown as Job;
    await inTransaction({ ...removals.test.ours.system, now: june(3) }, async (inside) => {
      await mergeNamesJob.handler(inside, job);
      throw killed;
    }).catch((error: unknown) => expect(error).toBe(killed));
  }
  expect(await holdersAt(ids.appId, null)).toEqual(before);
  expect(await stateOf('resource_types', [ids.type2])).toMatchObject([{ gone: false }]);
  await merge(june(3));
  expect(await holdersAt(ids.appId, null)).toMatchObject([{ held: ['ann', 'bob', 'cy'] }, { held: ['bob'] }]);
});

it('but of a name whose key a deleted one has, whoever is there gets it', async () => {
  const ids = await store('Gone');
  await admin('UPDATE resource_types SET deleted_at = $2 WHERE id = $1', [ids.type1, june(2)]);
  await merge(june(3));
  expect(await stateOf('resource_types', [ids.type1, ids.type2])).toMatchObject([
    { gone: true, into: null },
    { key: nfc.type, gone: false, into: null },
  ]);
  expect(await stateOf('entitlements', [ids.pay2])).toMatchObject([{ gone: false, into: null }]);
});
