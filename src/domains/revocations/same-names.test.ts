/** Removals of access that a later sync reports under the same name, spelled otherwise, or under one that only looks the same. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { importGrants } from '../syncs/import-grants.ts';
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
