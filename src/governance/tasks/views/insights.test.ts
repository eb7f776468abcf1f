/** Words of insights: each sentence with its code and parameters, as clients read it that write in their own words. */
import { expect, it } from 'vitest';
import { changeCodes, insightCodes } from './insight-codes.ts';
import { describeChange, findChanges, findPeers, listInsights } from './insights.ts';
import type { Found, Previous } from './store-found.ts';
import { type Flag, getMask } from '../task/store-terms.ts';
import type { ShownTask } from './shown-task.ts';

const previous: Previous = {
  taskId: 'before',
  reviewId: 'r0',
  outcome: 'DECERTIFIED',
  endReason: 'DECIDED',
  decidedById: 'u1',
  decidedByName: 'Elif Sample',
  decidedIssuerId: null,
  decidedIssuerName: null,
  endedAt: '2026-07-14T10:00:00Z',
  comment: ' Not needed. ',
  accountStatus: 'ENABLED',
  accountType: 'USER',
  owner: 'Tara Sample',
  department: 'Shops',
  jobTitle: 'Clerk',
  managerEmail: 'a@corp.test',
  riskLevel: 'Low',
};

const account = {
  userDisplayName: 'Jonas Sample',
  userEmail: 'jonas@corp.test',
  department: 'Finance',
  jobTitle: 'Accountant',
  accountStatus: 'DISABLED',
  accountType: 'SERVICE_ACCOUNT',
};

function taskOf(flags: readonly Flag[], found: Partial<Found> = {}, person: Partial<typeof account> = {}): ShownTask {
  return {
    id: 't1',
    createdAt: new Date('2026-11-24T00:00:00Z'),
    lastUsedAt: new Date('2026-04-24T00:00:00Z'),
    account: { ...account, ...person },
    found: {
      score: 0,
      flags: getMask('JUDGED', ...flags),
      peers: 11,
      peersWith: 3,
      frozenAt: '2026-11-24T00:00:00Z',
      riskLevel: 'High ',
      userStatus: 'ENABLED',
      managerEmail: 'b@corp.test',
      source: 'hr',
      held: null,
      rules: null,
      previous: null,
      ...found,
    },
  } as unknown as ShownTask;
}

const said = (flags: readonly Flag[], found?: Partial<Found>, person?: Partial<typeof account>) =>
  listInsights(taskOf(flags, found, person)).map(({ code, parameters }) => [code, parameters]);

const circle = { with: '3', of: '11' };
const held = { through: null, ways: 0, endsAt: null };
const before = { date: '2026-07-14', comment: 'Not needed.' };
type Case = readonly [
  expected: readonly [string, object],
  flags: readonly Flag[],
  found?: Partial<Found>,
  person?: Partial<typeof account>,
];
const cases: readonly Case[] = [
  [['LEAVER', { person: 'Jonas Sample' }], ['LEAVER']],
  [['LEAVER', {}], ['LEAVER'], {}, { userDisplayName: '', userEmail: '' }],
  [['LEAVER_DISABLED', { person: 'jonas@corp.test' }], ['LEAVER'], { userStatus: 'DISABLED' }, { userDisplayName: '' }],
  [['DENIED_BEFORE', { person: 'Elif Sample', ...before }], ['DENIED_BEFORE'], { previous }],
  [
    ['DENIED_BEFORE', { person: 'Elif Sample', issuer: 'Ada Admin', ...before }],
    ['DENIED_BEFORE'],
    { previous: { ...previous, decidedIssuerId: 'u2', decidedIssuerName: 'Ada Admin' } },
  ],
  [['DENIED_BEFORE_BY_POLICY', before], ['DENIED_BEFORE'], { previous: { ...previous, decidedByName: null } }],
  [
    ['DENIED_BEFORE_AT_CLOSE', { date: '2026-07-14' }],
    ['DENIED_BEFORE'],
    { previous: { ...previous, decidedByName: null, endReason: 'CANCELLED', comment: null } },
  ],
  [['CERTIFIED_BEFORE', { person: 'Elif Sample', ...before }], ['CERTIFIED_BEFORE'], { previous }],
  [['CERTIFIED_BEFORE_BY_POLICY', before], ['CERTIFIED_BEFORE'], { previous: { ...previous, decidedByName: null } }],
  [['CERTIFIED_BEFORE_AT_CLOSE', {}], ['CERTIFIED_BEFORE'], { previous: null }],
  [['CONFLICT', {}], ['CONFLICT']],
  [
    ['CONFLICT_OF_RULE', { rule: 'Pays and books', others: '0' }],
    ['CONFLICT'],
    { rules: [{ monitorId: 'm1', displayName: 'Pays and books' }] },
  ],
  [['ORPHAN', {}], ['ORPHAN']],
  [['DORMANT', { days: '214' }], ['DORMANT']],
  [['PAST_END', { date: '2026-01-15' }], ['PAST_END'], { held: { ...held, endsAt: '2026-01-15T00:00:00Z' } }],
  [
    ['PAST_END_REPORTED', { date: '2026-01-15', source: 'files', sync: 's9', syncDate: '2026-11-20' }],
    ['PAST_END'],
    { reportedEnd: { endsAt: '2026-01-15T00:00:00Z', source: 'files', syncId: 's9', syncedAt: '2026-11-20T07:00:00Z' } },
  ],
  [
    ['PAST_END', { date: '2026-01-15' }],
    ['PAST_END'],
    {
      held: { ...held, endsAt: '2026-01-15T00:00:00Z' },
      reportedEnd: { endsAt: '2026-01-15T00:00:00Z', source: 'idp', syncId: null, syncedAt: null },
    },
  ],
  [['RISK', { level: 'High' }], ['RISK_HIGH']],
  [
    ['OUTLIER_BY_TITLE', { ...circle, title: 'Accountant', department: 'Finance' }],
    ['OUTLIER', 'PEERS_BY_TITLE'],
  ],
  [
    ['OUTLIER_BY_DEPARTMENT', { ...circle, department: 'Finance' }],
    ['OUTLIER', 'PEERS_BY_DEPARTMENT'],
  ],
  [['OUTLIER_BY_MANAGER', { with: '0', of: '11' }], ['OUTLIER'], { peersWith: 0 }],
  [
    ['COMMON_BY_TITLE', { ...circle, title: 'Accountant', department: 'Finance' }],
    ['COMMON', 'PEERS_BY_TITLE'],
  ],
  [
    ['COMMON_BY_DEPARTMENT', { ...circle, department: 'Finance' }],
    ['COMMON', 'PEERS_BY_DEPARTMENT'],
  ],
  [['COMMON_BY_MANAGER', circle], ['COMMON']],
  [
    [
      'MOVER',
      {
        person: 'Jonas Sample',
        departmentWas: 'Shops',
        departmentIs: 'Finance',
        titleIs: 'Accountant',
        managerWas: 'a@corp.test',
        managerIs: 'b@corp.test',
      },
    ],
    ['MOVER'],
    { previous: { ...previous, jobTitle: null } },
  ],
  [['NEW', {}], ['NEW']],
  [['FORMER_ADDRESS', { person: 'Jonas Sample' }], ['FORMER_ADDRESS']],
  [['EXTERNAL', {}], ['EXTERNAL']],
  [['DISABLED_ACCOUNT', {}], ['DISABLED_ACCOUNT']],
  [['UNKNOWN_USE', {}], ['UNKNOWN_USE']],
  [['INHERITED', {}], ['INHERITED']],
  [
    ['INHERITED_THROUGH', { through: 'Staff › Payments', others: '0' }],
    ['INHERITED'],
    { held: { ...held, through: ['Staff', 'Payments'], ways: 1 } },
  ],
  [['TEMPORARY', {}], ['TEMPORARY'], { held }],
  [['TEMPORARY_UNTIL', { date: '2027-01-15' }], ['TEMPORARY'], { held: { ...held, endsAt: '2027-01-15T00:00:00Z' } }],
  [['NO_DESCRIPTION', {}], ['NO_DESCRIPTION']],
];

it.each(cases.map((one) => [one[0][0], one] as const))('says %s', (_code, [expected, flags, found, person]) => {
  expect(said(flags, found, person)).toEqual([expected]);
});

it('is tried with every code, and sends no parameter that the code does not have', () => {
  expect([...new Set(cases.map(([[code]]) => code))].sort()).toEqual(Object.keys(insightCodes).sort());
  for (const [[code, parameters]] of cases) {
    const names: readonly string[] = insightCodes[code as keyof typeof insightCodes];
    expect(Object.keys(parameters).filter((name) => !names.includes(name))).toEqual([]);
  }
});

it('keeps the sentences beside the codes', () => {
  const [moved] = listInsights(taskOf(['MOVER'], { previous }));
  expect(moved?.sentence).toBe(
    'Jonas Sample has moved since the review before. Department was Shops, now Finance. Title was Clerk, now Accountant. Manager was a@corp.test, now b@corp.test.',
  );
  const [denied] = listInsights(taskOf(['DENIED_BEFORE'], { previous }));
  expect(denied?.sentence).toBe(
    'Denied by Elif Sample on 2026-07-14 in the review before. Comment: “Not needed.” The access is still there.',
  );
});

it('says what changed by code, with what was and what is', () => {
  const changes = findChanges(taskOf(['ACCOUNT_CHANGED', 'MOVER', 'RISK_CHANGED', 'WAY_CHANGED'], { previous }));
  expect(changes.map(({ code }) => code)).toEqual(changeCodes.filter((code) => code !== 'NOW_INHERITED'));
  expect(changes[0]).toEqual({ code: 'ACCOUNT_STATUS', was: 'ENABLED', is: 'DISABLED' });
  expect(changes.map(describeChange).at(-1)).toBe('Inherited before, now held directly.');
  const inherited = findChanges(taskOf(['WAY_CHANGED', 'INHERITED'], { previous }));
  expect([inherited, inherited.map(describeChange)]).toEqual([
    [{ code: 'NOW_INHERITED', was: '', is: '' }],
    ['Held directly before, now inherited.'],
  ]);
  expect(findChanges(taskOf(['ACCOUNT_CHANGED']))).toEqual([]);
  expect(describeChange({ code: 'OWNER', was: '', is: 'Tara' })).toBe('Owner was empty, now Tara.');
});

it('counts peers also where neither few nor most hold it, and says nothing where there are none', () => {
  expect(findPeers(taskOf(['PEERS_BY_DEPARTMENT']))).toEqual({ by: 'DEPARTMENT', ...circle, department: 'Finance' });
  expect(findPeers(taskOf([], { peers: 0, peersWith: 0 }))).toBeUndefined();
});
