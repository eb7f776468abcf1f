/** Look of a report's files: columns, history in words, formulas defused, JSON in one piece. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { defaultColumns, findColumn, type ReportColumn, reportColumns } from './columns.ts';
import { AccessReviewReportColumnSchema } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { idsInItem, tellHistory } from './item-history.ts';
import type { PersonWords } from '../../../foundation/directory/index.ts';
import type { ReviewItemRow, TaskActionRow } from './store-items.ts';
import { rowWriters } from './write-rows.ts';

const people = new Map<string, PersonWords>(
  ['Mona', 'Amir', 'Iris'].map((name) => [
    name.toLowerCase(),
    {
      id: name.toLowerCase(),
      displayName: name,
      email: `${name.toLowerCase()}@example.com`,
      employeeId: '',
      userType: 'HUMAN' as const,
      former: [],
    },
  ]),
);

const words = (name: string) => ({ displayName: name, email: `${name.toLowerCase()}@example.com`, employeeId: '' });

function makeItem(fields: Partial<ReviewItemRow> = {}): ReviewItemRow {
  return {
    taskId: 'task1',
    numericId: 7,
    state: 'CLOSED',
    outcome: 'CERTIFIED',
    endReason: 'DECIDED',
    endedAt: new Date('2026-02-03T04:05:06.007Z'),
    decidedById: 'mona',
    certifyUntil: null,
    lastUsedAt: null,
    account: 'u1',
    accountType: 'USER',
    ownerId: 'user1',
    ownerName: 'User 1',
    ownerEmail: 'u1@example.com',
    ownerByFormerAddress: false,
    employmentStatus: 'ACTIVE',
    department: 'Sales',
    jobTitle: 'Seller',
    managerEmail: 'mona@example.com',
    employeeId: 'E1',
    employmentType: '',
    appName: 'App',
    resourceName: 'Door',
    resourceTypeName: 'door',
    entitlementName: 'open',
    description: 'Opens it',
    policyName: 'Default',
    assigneeIds: ['mona'],
    actions: [],
    removal: null,
    reportedEnd: null,
    second: null,
    ...fields,
  };
}

function makeAction(fields: Partial<TaskActionRow>): TaskActionRow {
  return {
    id: 'a1',
    kind: 'APPROVED',
    step: 0,
    actorId: 'mona',
    issuerId: '',
    comment: '',
    submissionId: '',
    data: {},
    createdAt: '2026-02-03T04:05:06.007+00:00',
    ...fields,
  };
}

function columnsNamed(names: readonly string[]): ReportColumn[] {
  return names.map((name) => findColumn(`ACCESS_REVIEW_REPORT_COLUMN_${name}`) as ReportColumn);
}

function cell(name: string, row: ReviewItemRow): string {
  return columnsNamed([name])[0]?.text({ row, history: tellHistory(row, people) }) ?? '';
}

describe('columns', () => {
  it('exist for every value of the contract but UNSPECIFIED, each once', () => {
    const wanted = AccessReviewReportColumnSchema.values.map((value) => value.name).filter((name) => !name.endsWith('_UNSPECIFIED'));
    expect(reportColumns.map((column) => column.name).sort()).toEqual(wanted.sort());
    expect(new Set(reportColumns.map((column) => column.member)).size).toBe(wanted.length);
  });
  it('are 19 where none is chosen, without personnel data', () => {
    expect(defaultColumns).toHaveLength(19);
    expect(defaultColumns).toContain('ACCESS_REVIEW_REPORT_COLUMN_DECISIONS');
    expect(defaultColumns).not.toContain('ACCESS_REVIEW_REPORT_COLUMN_JOB_TITLE');
  });
  it('leave empty what is not known', () => {
    const row = makeItem({ endedAt: null, lastUsedAt: null });
    expect(
      ['RESOLVED_ON', 'LAST_LOGIN', 'EXTERNAL_TICKET', 'EXTERNAL_TICKET_STATUS', 'EMPLOYMENT_TYPE'].map((name) => cell(name, row)),
    ).toEqual(['', '', '', '', '']);
  });
});

describe('the history of an item', () => {
  it('names who decided, and who issued the credential it was done with', () => {
    const row = makeItem({ actions: [makeAction({ issuerId: 'iris' })] });
    expect(cell('CERTIFIERS', row)).toBe('Mona <mona@example.com> (credential issued by Iris <iris@example.com>)');
    expect(cell('DECISIONS', row)).toBe('Certified');
  });
  it.each([
    ['a comment', 'COMMENTED', 'COMMENTS', 'Mona <mona@example.com> (credential issued by Iris <iris@example.com>) on'],
    ['a reassignment', 'REASSIGNED', 'REASSIGNMENTS', 'by Mona <mona@example.com> (credential issued by Iris <iris@example.com>) to Amir'],
  ] as const)('names who issued what %s was made with', (_what, kind, column, wanted) => {
    const row = makeItem({ actions: [makeAction({ kind, issuerId: 'iris', comment: 'As told', data: { newUserIds: ['amir'] } })] });
    expect(cell(column, row)).toContain(wanted);
    const history = tellHistory(row, people);
    expect(kind === 'COMMENTED' ? history.comments : history.reassignments).toMatchObject([
      { by: { id: 'mona' }, issuedBy: { id: 'iris' } },
    ]);
  });
  it('keeps a decision that a restart withdrew, and does not count who made it', () => {
    const row = makeItem({
      outcome: 'CERTIFIED',
      actions: [
        makeAction({ id: 'a1', kind: 'DENIED', actorId: 'amir' }),
        makeAction({ id: 'a2', kind: 'RESTARTED', actorId: 'iris' }),
        makeAction({ id: 'a3' }),
      ],
    });
    expect(cell('DECISIONS', row)).toBe('Denied (withdrawn by a restart); Certified');
    expect(cell('CERTIFIERS', row)).toBe('Mona <mona@example.com>');
  });
  it('counts an amendment in place of what it changed, and says by whom, when and until when', () => {
    const row = makeItem({
      outcome: 'DECERTIFIED',
      actions: [
        makeAction({ id: 'a1', actorId: 'amir', step: 0 }),
        makeAction({ id: 'a2', step: 1, data: { certifyUntil: '2026-06-01T00:00:00.000Z' } }),
        makeAction({
          id: 'a3',
          step: 1,
          kind: 'AMENDED',
          issuerId: 'iris',
          comment: 'has left',
          data: { decision: 'DENY', outcome: 'DECERTIFIED' },
        }),
      ],
    });
    expect(cell('DECISIONS', row)).toBe(
      'Certified; Certified until 2026-06-01T00:00:00.000Z (amended later); ' +
        'Denied (amended on 2026-02-03T04:05:06.007Z by Mona <mona@example.com>, before: certified)',
    );
    // Excel has room for all there is of each decision.
    expect(findColumn('ACCESS_REVIEW_REPORT_COLUMN_DECISIONS')?.cell({ row, history: tellHistory(row, people) })).toBe(
      [
        '2026-02-03T04:05:06.007Z Certified by Amir <amir@example.com> (step 1)',
        '2026-02-03T04:05:06.007Z Certified until 2026-06-01T00:00:00.000Z by Mona <mona@example.com> (step 2, amended later)',
        '2026-02-03T04:05:06.007Z Denied by Mona <mona@example.com> (step 2, credential issued by Iris <iris@example.com>, amends what was certified): has left',
      ].join('; '),
    );
    expect(cell('CERTIFIERS', row)).toBe('Amir <amir@example.com>; Mona <mona@example.com> (credential issued by Iris <iris@example.com>)');
    expect(cell('COMMENTS', row)).toContain('has left');
    expect(tellHistory(row, people).decisions).toMatchObject([
      { decision: 'CERTIFIED', by: { id: 'amir' }, isAmended: false },
      { decision: 'CERTIFIED', by: { id: 'mona' }, until: '2026-06-01T00:00:00.000Z', isAmended: true },
      { decision: 'DENIED', by: { id: 'mona' }, amends: 'CERTIFIED', isAmended: false },
    ]);
  });
  it('withdraws by a restart or a hard reset, also what was amended before', () => {
    const row = makeItem({
      actions: [
        makeAction({ id: 'a1', kind: 'DENIED' }),
        makeAction({ id: 'a2', kind: 'AMENDED', data: { decision: 'APPROVE', outcome: 'CERTIFIED' } }),
        makeAction({ id: 'a3', kind: 'HARD_RESET', actorId: 'iris' }),
        makeAction({ id: 'a4', kind: 'DENIED' }),
      ],
    });
    expect(tellHistory(row, people).decisions.map(({ decision, isAmended, isWithdrawn }) => [decision, isAmended, isWithdrawn])).toEqual([
      ['DENIED', true, true],
      ['CERTIFIED', false, true],
      ['DENIED', false, false],
    ]);
    expect(tellHistory(row, people).certifiers).toMatchObject([{ id: 'mona' }]);
  });
  it('tells comments and reassignments with who and when', () => {
    const row = makeItem({
      actions: [
        makeAction({ id: 'a1', kind: 'REASSIGNED', actorId: 'iris', comment: 'on leave', data: { newUserIds: ['amir', 'gone'] } }),
        makeAction({ id: 'a2', kind: 'COMMENTED', actorId: 'amir', comment: 'Looks right' }),
      ],
    });
    expect(cell('REASSIGNMENTS', row)).toBe(
      '2026-02-03T04:05:06.007Z by Iris <iris@example.com> to Amir <amir@example.com>, erased (gone): on leave',
    );
    expect(cell('COMMENTS', row)).toContain('Amir <amir@example.com> on 2026-02-03T04:05:06.007Z: Looks right');
  });
  it('tells to whom an item passed because somebody can no longer review, and in whose place a delegate decided', () => {
    const row = makeItem({
      assigneeIds: ['amir'],
      actions: [
        makeAction({ id: 'a1', kind: 'HANDED_OVER', actorId: '', data: { newUserIds: ['amir'], disabledUserIds: ['mona'] } }),
        makeAction({ id: 'a2', kind: 'DENIED', actorId: 'iris', data: { delegatorId: 'amir' } }),
      ],
    });
    expect(idsInItem(row)).toEqual(expect.arrayContaining(['mona', 'amir', 'iris']));
    expect(cell('REASSIGNMENTS', row)).toBe(
      '2026-02-03T04:05:06.007Z because Mona <mona@example.com> can no longer review to Amir <amir@example.com>',
    );
    expect(cell('CERTIFIERS', row)).toBe('Iris <iris@example.com> (in place of Amir <amir@example.com>)');
    expect(cell('DECISIONS', row)).toBe('Denied (in place of Amir <amir@example.com>)');
    expect(tellHistory(row, people)).toMatchObject({
      reassignments: [{ instead: [{ id: 'mona' }], to: [{ id: 'amir' }] }],
      decisions: [{ by: { id: 'iris' }, inPlaceOf: { id: 'amir' } }],
    });
  });
  it('tells to whom an item was escalated, and nothing of an escalation that asks nobody', () => {
    const row = makeItem({
      actions: [
        makeAction({ id: 'a1', kind: 'ESCALATED', actorId: '', comment: 'Two days are over.', data: { newUserIds: ['amir', 'mona'] } }),
        makeAction({ id: 'a2', kind: 'ESCALATED', actorId: '', data: {} }),
      ],
    });
    expect(cell('REASSIGNMENTS', row)).toBe(
      '2026-02-03T04:05:06.007Z escalated, because nobody decided in time, to Amir <amir@example.com>, Mona <mona@example.com>: Two days are over.',
    );
  });
  it.each([
    ['OPEN', '', 'Open'],
    ['CLOSED', 'SKIPPED_AT_CLOSE', 'Nobody had decided when the review was closed: skipped.'],
    ['CLOSED', 'REVOKED_AT_CLOSE', 'Nobody had decided when the review was closed: revoked.'],
    ['CLOSED', 'NO_ACTION_AT_CLOSE', 'Nobody had decided when the review was closed: no outcome was set.'],
    ['CLOSED', 'GRANT_GONE', 'The access ended before anybody decided.'],
    ['CLOSED', 'DELETED', 'The review was deleted before anybody decided.'],
  ] as const)('says how an item that nobody decided came to be %s %s', (state, endReason, sentence) => {
    expect(cell('DECISIONS', makeItem({ state, endReason }))).toBe(sentence);
  });
  it('says where the policy decided by itself', () => {
    const row = makeItem({ actions: [makeAction({ kind: 'ENDED', actorId: '', data: { reason: 'POLICY', outcome: 'DECERTIFIED' } })] });
    expect(cell('DECISIONS', row)).toBe('Denied (by the policy)');
    expect(cell('CERTIFIERS', row)).toBe('');
  });
});

describe('files', () => {
  const items = [
    makeItem({ account: '=1+1', resourceName: 'a "quoted", thing\nin two lines' }),
    makeItem({ taskId: 'task2', account: '@x', entitlementName: '-minus' }),
  ].map((row) => ({ row, history: tellHistory(row, people) }));
  const columns = columnsNamed(['TASK', 'ACCOUNT', 'RESOURCE', 'ENTITLEMENT']);

  it('in CSV quote what must be quoted and defuse what a spreadsheet would run', () => {
    const text = rowWriters.CSV.begin(columns) + rowWriters.CSV.rows(columns, items, true) + rowWriters.CSV.end();
    expect(text.startsWith('\ufeff')).toBe(true);
    expect(parse(text, { bom: true })).toEqual([
      ['Task', 'Account', 'Resource', 'Entitlement'],
      ['7', "'=1+1", 'a "quoted", thing\nin two lines', 'open'],
      ['7', "'@x", 'Door', "'-minus"],
    ]);
    expect(text.endsWith('\r\n')).toBe(true);
  });
  it('have the id of everybody whom the chosen columns name, with the words of the act, and employee ids where they have these', () => {
    const row = makeItem({ actions: [makeAction({ issuerId: 'iris', comment: 'fine' })] });
    const later = makeAction({ id: 'a2', kind: 'COMMENTED', createdAt: '2026-03-01T00:00:00+00:00', comment: 'still' });
    const married = { ...people.get('mona')!, displayName: 'Mona Neu', former: [{ until: new Date('2026-02-20'), ...words('Mona') }] };
    const known = new Map([...people, ['mona', married] as const]);
    const shown = {
      row: { ...row, actions: [...row.actions, later] },
      history: tellHistory({ ...row, actions: [...row.actions, later] }, known),
    };
    const peopleIn = (...names: string[]): unknown => {
      const chosen = columnsNamed(names);
      const text = rowWriters.CSV.begin(chosen) + rowWriters.CSV.rows(chosen, [shown], true);
      return parse<Record<string, string>>(text, { bom: true, columns: true })[0]?.['People'];
    };
    expect(peopleIn('TASK', 'ACCOUNT')).toBeUndefined();
    expect(peopleIn('ACCOUNT_OWNER')).toBe('User 1 <u1@example.com> (id user1)');
    expect(peopleIn('ACCOUNT_OWNER', 'EMPLOYEE_ID')).toBe('User 1 <u1@example.com> [E1] (id user1)');
    expect(peopleIn('CERTIFIERS', 'COMMENTS')).toBe(
      'Mona <mona@example.com> (id mona); Iris <iris@example.com> (id iris); Mona Neu <mona@example.com> (id mona)',
    );
    const chosen = columnsNamed(['ASSIGNED_TO']);
    const [inJson] = JSON.parse(`${rowWriters.JSON.begin(chosen)}${rowWriters.JSON.rows(chosen, [shown], true)}]`) as object[];
    expect(inJson).toMatchObject({ people: [{ id: 'mona', name: 'Mona', email: 'mona@example.com', employeeId: '' }] });
  });
  it('mark owners who were found by an address they had before, where there are any and the owner is named', () => {
    const shown = [makeItem({ ownerByFormerAddress: true }), makeItem()].map((row) => ({ row, history: tellHistory(row, people) }));
    const some = { hasSecond: false, formerAddresses: 1, pastEnds: 0, asksSignatures: false };
    const csvOf = (names: readonly string[], facts?: typeof some): string[][] => {
      const chosen = columnsNamed(names);
      return parse(rowWriters.CSV.begin(chosen, facts) + rowWriters.CSV.rows(chosen, shown, true, facts), {
        bom: true,
      }) as unknown as string[][];
    };
    expect(csvOf(['ACCOUNT_OWNER'], some).map((row) => row[1])).toEqual(['Owner matched by', 'a former address', '']);
    expect(csvOf(['ACCOUNT_OWNER_EMAIL', 'DECISIONS'], some)[0]?.slice(-2)).toEqual(['Owner matched by', 'People']);
    expect(csvOf(['ACCOUNT_OWNER'])[0]).toEqual(['Account owner', 'People']);
    expect(csvOf(['ACCOUNT'], some)[0]).toEqual(['Account']);
    const chosen = columnsNamed(['ACCOUNT_OWNER']);
    const [marked, other] = JSON.parse(`${rowWriters.JSON.begin(chosen)}${rowWriters.JSON.rows(chosen, shown, true, some)}]`) as object[];
    expect(marked).toMatchObject({ ownerByFormerAddress: true });
    expect(other).not.toHaveProperty('ownerByFormerAddress');
  });
  it('tell of reported ends that had passed and who still reports the access, where there are any', () => {
    const reportedEnd = { endsAt: '2020-01-01T00:00:00+00:00', source: 'files', syncId: 's9', syncedAt: '2026-11-20T07:00:00+00:00' };
    const shown = [makeItem({ reportedEnd }), makeItem({ reportedEnd: { ...reportedEnd, syncId: null, syncedAt: null } }), makeItem()].map(
      (row) => ({ row, history: tellHistory(row, people) }),
    );
    const some = { hasSecond: false, formerAddresses: 0, pastEnds: 2, asksSignatures: false };
    const csvOf = (names: readonly string[], facts?: typeof some): string[][] => {
      const chosen = columnsNamed(names);
      return parse(rowWriters.CSV.begin(chosen, facts) + rowWriters.CSV.rows(chosen, shown, true, facts), {
        bom: true,
      }) as unknown as string[][];
    };
    expect(csvOf(['ENTITLEMENT'], some).map((row) => row[1])).toEqual([
      'Reported end has passed',
      'on 2020-01-01; still reported by files (sync s9 of 2026-11-20)',
      'on 2020-01-01; still reported by files',
      '',
    ]);
    expect([csvOf(['ENTITLEMENT'])[0], csvOf(['ACCOUNT'], some)[0]]).toEqual([['Entitlement'], ['Account']]);
    const chosen = columnsNamed(['ENTITLEMENT']);
    const [marked, , other] = JSON.parse(`${rowWriters.JSON.begin(chosen)}${rowWriters.JSON.rows(chosen, shown, true, some)}]`) as object[];
    expect(marked).toMatchObject({ reportedEnd });
    expect(other).not.toHaveProperty('reportedEnd');
  });
  it('say the outcome and until when it was certified, where they have its decisions', () => {
    const until = makeItem({ certifyUntil: new Date('2026-06-01T00:00:00.000Z') });
    const rows = [until, makeItem({ outcome: 'DECERTIFIED' }), makeItem({ state: 'OPEN', outcome: '' })];
    const shown = rows.map((row) => ({ row, history: tellHistory(row, people) }));
    const chosen = columnsNamed(['TASK', 'DECISIONS']);
    const csv = parse(rowWriters.CSV.begin(chosen) + rowWriters.CSV.rows(chosen, shown, true), { bom: true }) as unknown as string[][];
    expect(csv.map((row) => row.slice(2, 4))).toEqual([
      ['Outcome', 'Certified until'],
      ['Certified', '2026-06-01T00:00:00.000Z'],
      ['Revoked', ''],
      ['', ''],
    ]);
    const [first, second] = JSON.parse(`${rowWriters.JSON.begin(chosen)}${rowWriters.JSON.rows(chosen, shown, true)}]`) as object[];
    expect(first).toMatchObject({ outcome: 'CERTIFIED', certifyUntil: '2026-06-01T00:00:00.000Z' });
    expect(second).not.toHaveProperty('certifyUntil');
  });
  it('in CSV say each decision in full: when, at which step, in whose place, what it changed, and why', () => {
    const row = makeItem({
      actions: [
        makeAction({ comment: 'fine', data: { delegatorId: 'iris' } }),
        makeAction({
          id: 'a2',
          kind: 'AMENDED',
          step: 1,
          createdAt: '2026-02-04T00:00:00+00:00',
          comment: 'no',
          data: { decision: 'DENY' },
        }),
      ],
    });
    const chosen = columnsNamed(['DECISIONS']);
    const item = { row, history: tellHistory(row, people) };
    const text = rowWriters.CSV.begin(chosen) + rowWriters.CSV.rows(chosen, [item], true);
    const [shown] = parse<Record<string, string>>(text, { bom: true, columns: true });
    expect(shown?.['Decisions in full']).toBe(
      '2026-02-03T04:05:06.007Z Certified by Mona <mona@example.com> (step 1, in place of Iris <iris@example.com>, amended later): fine; ' +
        '2026-02-04T00:00:00.000Z Denied by Mona <mona@example.com> (step 2, amends what was certified): no',
    );
  });
  it('say of a denied item what became of it, where they have its decisions', () => {
    const removal = {
      id: 'r1',
      state: 'VERIFIED',
      stateAt: '2026-06-07T12:00:00+00:00',
      actorId: '',
      actorIssuerId: '',
      claimedById: 'amir',
      claimedIssuerId: '',
      claimedAt: '2026-06-06T12:00:00+00:00',
      actorName: '',
      actorIssuerName: '',
      claimedByName: 'Amir',
      claimedIssuerName: '',
      syncId: 's7',
      revision: 7,
      note: '',
      residual: [
        { entitlementId: 'e', entitlementDisplayName: 'Staff', accountId: '', account: '', looksTheSame: false },
        { entitlementId: '', entitlementDisplayName: '', accountId: 'a', account: 'amir-2', looksTheSame: false },
      ],
    } as const;
    const denied = [makeItem({ outcome: 'DECERTIFIED', removal }), makeItem()].map((row) => ({ row, history: tellHistory(row, people) }));
    const chosen = columnsNamed(['TASK', 'DECISIONS']);
    const outcome = 'absent at sync s7 of 2026-06-07; also held through Staff, by the account amir-2';
    const csv = parse(rowWriters.CSV.begin(chosen) + rowWriters.CSV.rows(chosen, denied, true), { bom: true }) as unknown as string[][];
    expect(csv.map((row) => row.at(-2))).toEqual(['Removal', outcome, '']);
    expect(csv.map((row) => row.at(-1))).toEqual(['People', 'Amir <amir@example.com> (id amir)', '']);
    const [first, second] = JSON.parse(`${rowWriters.JSON.begin(chosen)}${rowWriters.JSON.rows(chosen, denied, true)}]`) as object[];
    expect(first).toMatchObject({ removal: { id: 'r1', state: 'VERIFIED', outcome, syncId: 's7' } });
    expect(second).not.toHaveProperty('removal');
  });
  it('in JSON are one array, however many pieces they were written in, and none', () => {
    const writer = rowWriters.JSON;
    const whole =
      writer.begin(columns) +
      writer.rows(columns, items, true) +
      writer.rows(columns, items.slice(0, 1), false) +
      writer.rows(columns, [], false) +
      writer.end();
    const rows = JSON.parse(whole) as Record<string, unknown>[];
    expect(rows).toHaveLength(3);
    expect(rows[0]).toEqual({
      taskId: 'task1',
      state: 'CLOSED',
      outcome: 'CERTIFIED',
      endReason: 'DECIDED',
      task: 7,
      account: '=1+1',
      resource: 'a "quoted", thing\nin two lines',
      entitlement: 'open',
    });
    expect(JSON.parse(writer.begin(columns) + writer.rows(columns, [], true) + writer.end())).toEqual([]);
  });
});
