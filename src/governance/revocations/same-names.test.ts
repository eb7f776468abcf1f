/** Removals of access that a later sync reports under the same name, spelled otherwise, or under one that only looks the same. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { addTask, addTasksOf } from '../../../test/support/tasks.ts';
import { importGrants } from '../../inventory/syncs/import-grants.ts';
import { claimRemoval, confirmRemoval, getRevocation } from './act.ts';
import { describeResidual } from './record/index.ts';
import { explainUnknown, findUnknown } from './record/unknown.ts';

const removals = useRemovals(['tom']);
const crowd = Array.from({ length: 8 }, (_, index) => `u${index},,Gate`);

/** A file of the columns that people export. */
async function sync(app: string, rows: readonly string[], now: Date, source = ''): Promise<unknown> {
  const body = Readable.from([['account,email,entitlement', ...(source === '' ? crowd : ['x,,Door']), ...rows, ''].join('\n')]);
  const { added, removed } = await importGrants(removals.at(now), { app, allowRemovals: true, source }, { body, encoding: '' });
  await removals.verify(now);
  return { added, removed };
}
const stateOf = async (id: string): Promise<string> => (await removals.read(id)).state;
const tell = async (id: string): Promise<string[]> => {
  const row = await getRevocation(removals.at(june(28)), id);
  return [findUnknown(row)?.reason ?? '', explainUnknown(row), describeResidual(row.residual)];
};
const tom = (entitlement: string, account = 'tom'): string => `${account},tom@example.com,${entitlement}`;

it('are not proven by a file in another form of Unicode, nor by one in another case; by one with neither they are', async () => {
  await sync('Forms', [tom('B\u00fcro')], june(1));
  const id = await removals.request('Forms', 'tom', 'B\u00fcro', june(5));
  for (const [day, name] of [
    [6, 'Bu\u0308ro'],
    [7, 'B\u00fcro '],
    [8, '\u00a0B\u00fcro'],
    [9, '\ufeffB\u00fcro'],
    [10, 'B\u00fcro'],
  ] as const) {
    expect(await sync('Forms', [tom(name)], june(day))).toEqual({ added: 0, removed: 0 });
    expect(await stateOf(id)).toBe('IN_PROGRESS');
  }
  expect(await sync('Forms', [tom('B\u00dcRO')], june(12))).toEqual({ added: 1, removed: 1 });
  expect(await stateOf(id)).toBe('IN_PROGRESS');
  expect(await tell(id)).toEqual([
    'LOOKS_THE_SAME',
    'Not known: it is held under a name that looks the same. The removal is of "tom", "Forms B\u00fcro"; reported is "tom", "Forms B\u00dcRO". If that is the same access, it is still there. If not, one person says that it is removed, and another one confirms it.',
    'also held under a name that looks the same: account "tom", "Forms B\u00dcRO"',
  ]);
  await sync('Forms', [], june(14));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it.each([
  ['another account', tom('Pay', 'T\u00d6m'), '"T\u00d6m"'],
  ['an account with what nobody sees in it', tom('Pay', 't\u00f6\u200bm'), '"t\u00f6U+200Bm"'],
  ['an entitlement of full width', tom('\uff30ay', 't\u00f6m'), '\uff30ay"'],
])('are not proven while the same sync reports %s', async (what, row, name) => {
  await sync(what, [tom('Pay', 't\u00f6m')], june(1));
  const id = await removals.request(what, 't\u00f6m', 'Pay', june(5));
  await sync(what, [row], june(6));
  expect(await stateOf(id)).toBe('IN_PROGRESS');
  expect((await tell(id))[1]).toContain(name);
  await sync(what, [], june(8));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it('are not proven while another source of the app reports one that looks the same', async () => {
  await sync('Two', [tom('Pay')], june(1));
  const id = await removals.request('Two', 'tom', 'Pay', june(5));
  await sync('Two', [tom('PAY', 'Tom')], june(6), 'other');
  await sync('Two', [], june(7));
  expect([await stateOf(id), (await tell(id))[0]]).toEqual(['IN_PROGRESS', 'LOOKS_THE_SAME']);
});

it('are proven where what looks the same is another resource, or held by nobody', async () => {
  await sync('Proven', [tom('Pay'), 'ann,,PAY'], june(1));
  const id = await removals.request('Proven', 'tom', 'Pay', june(5));
  await sync('Proven', ['ann,,PAY'], june(6));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it('that only look held are attested by two people', async () => {
  await sync('Attest', [tom('Pay'), tom('PAY', 'Tom')], june(1));
  const id = await removals.request('Attest', 'tom', 'Pay', june(5));
  await sync('Attest', [tom('PAY', 'Tom')], june(6));
  await claimRemoval(removals.at(june(7)), id, 'Tom is somebody else.');
  await sync('Attest', [tom('PAY', 'Tom')], june(8));
  expect(await stateOf(id)).toBe('CLAIMED');
  const second = removals.by(removals.at(june(9)), { userId: removals.test.ours.basicId });
  await confirmRemoval(second, id, 'Yes.');
  expect(await stateOf(id)).toBe('ATTESTED');
});

it('are not withdrawn with their entitlement while one that looks the same is held', async () => {
  await sync('Renamed', [tom('Pay')], june(1));
  const id = await removals.request('Renamed', 'tom', 'Pay', june(5));
  await sync('Renamed', [tom('PAY')], june(6));
  const { db, tenantId } = removals.at(june(6));
  await db.run(`UPDATE entitlements SET deleted_at = $2 WHERE tenant_id = $1 AND external_id = 'Pay' AND display_name = 'Renamed Pay'`, [
    tenantId,
    june(6, 13),
  ]);
  await sync('Renamed', [tom('PAY')], june(7));
  expect([await stateOf(id), (await tell(id))[0]]).toEqual(['IN_PROGRESS', 'LOOKS_THE_SAME']);
  await sync('Renamed', [], june(8));
  expect(await stateOf(id)).toBe('VERIFIED');
});

/** Forms that a source may write `Office one` in. */
const forms: readonly (readonly [string, string, 'IN_PROGRESS' | 'VERIFIED'])[] = [
  ['a soft hyphen within', 'Off\u00adice one', 'IN_PROGRESS'],
  ['U+200B within', 'Offi\u200bce one', 'IN_PROGRESS'],
  ['a tab for its space', 'Office\tone', 'IN_PROGRESS'],
  ['no space', 'Officeone', 'IN_PROGRESS'],
  ['letters of full width', '\uff2f\uff46\uff46ice one', 'IN_PROGRESS'],
  ['a ligature', 'O\ufb03ce one', 'IN_PROGRESS'],
  ['a Cyrillic letter, which is another', '\u041effice one', 'VERIFIED'],
  ['another letter', 'Office ona', 'VERIFIED'],
];

it.each(forms)('are proven by no file that writes either with %s', async (what, written, state) => {
  for (const [part, row] of [
    ['entitlement', tom(written, 'Office one')],
    ['account', tom('Office one', written)],
    ['both', tom(written, written)],
  ] as const) {
    const app = `${part} ${what}`;
    await sync(app, [tom('Office one', 'Office one')], june(1));
    const id = await removals.request(app, 'Office one', 'Office one', june(5));
    await sync(app, [row], june(6));
    expect([part, await stateOf(id)]).toEqual([part, state]);
  }
});

it.each([
  ['Stra\u00dfe', 'STRASSE'],
  ['\u0130zmir', 'I\u0307ZMIR'],
  ['\u03c4\u03ad\u03bb\u03bf\u03c2', '\u03a4\u0388\u039b\u039f\u03a3'],
])('of %s are proven by no file that has %s', async (name, other) => {
  await sync(name, [tom(name)], june(1));
  const id = await removals.request(name, 'tom', name, june(5));
  await sync(name, [tom(other)], june(6));
  expect(await stateOf(id)).toBe('IN_PROGRESS');
});

it('are proven while what looks the same is in another app', async () => {
  await sync('Here', [tom('Pay')], june(1));
  const id = await removals.request('Here', 'tom', 'Pay', june(5));
  await sync('There', [tom('PAY')], june(6));
  await sync('Here', [], june(7));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it('of what a resource passes on are not proven while one that looks the same passes it on', async () => {
  const { db, tenantId } = removals.at(june(1));
  const nest = async (group: string, now: Date): Promise<void> => {
    const rows = [...crowd.map((row) => `${row.split(',')[0]},,door,Door,enter,`), `tom,,group,${group},member,`];
    const held = group === '' ? [] : [`tom,,Role,Repo,write,group/${group}/member`];
    const text = [
      'account,email,resource_type,resource,entitlement,granted_via',
      ...(group === '' ? rows.slice(0, -1) : rows),
      ...held,
      '',
    ];
    await importGrants(removals.at(now), { app: 'Nested', allowRemovals: true }, { body: Readable.from([text.join('\n')]), encoding: '' });
    await removals.verify(now);
  };
  await nest('Ops', june(1));
  const found = await db.one<{ appId: string; accountId: string; entitlementId: string }>(
    `SELECT r.app_id AS "appId", r.id AS "accountId", e.id AS "entitlementId" FROM resources r
     JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = r.app_id AND e.external_id = 'write' WHERE r.tenant_id = $1 AND r.external_id = 'Ops'`,
    [tenantId],
  );
  removals.reviewId = await addTasksOf(db, tenantId);
  const task = await addTask(db, tenantId, { reviewId: removals.reviewId, ...found, isHeld: false });
  await db.run(`UPDATE tasks SET principal_kind = 'R' WHERE tenant_id = $1 AND id = $2`, [tenantId, task]);
  await removals.decide(task, 'DECERTIFIED', june(5));
  const { id } = await db.one<{ id: string }>('SELECT id FROM revocations WHERE tenant_id = $1 AND certify_task_id = $2', [tenantId, task]);
  await removals.close(june(5));
  await nest('OPS', june(6));
  expect([await stateOf(id), (await tell(id))[0]]).toEqual(['IN_PROGRESS', 'LOOKS_THE_SAME']);
  expect((await tell(id))[1]).toContain('reported is "OPS", "Repo write"');
  await nest('', june(8));
  expect(await stateOf(id)).toBe('VERIFIED');
});
