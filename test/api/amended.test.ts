/**
 * What was amended stands everywhere as what it became: the outcome, who decided in whose place, until when, and at what time are the same in the task,
 * in lists, in reports of every form, in the evidence bundle and in what reviewers read about their own decisions.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { containedFile, linesOf, takeApart } from '../support/bundle.ts';
import { runInProcess } from '../support/command-line.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { askSecondVerifier } from '../support/second-verifier.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const day = 86_400_000;
const inDays = (days: number): string => new Date(Math.floor(Date.now() / 1000) * 1000 + days * day).toISOString();
const [soon, later] = [inDays(10), inDays(20)];

/** A decision of somebody; `until` of what is certified for a time. */
interface Act {
  readonly by: 'mona' | 'iris' | 'dora';
  readonly decision: 'CERTIFY' | 'DENY';
  readonly until?: string;
  readonly amend?: true;
}

/** An item by its account, what is done to it, and what stands then. */
interface Case {
  readonly account: string;
  readonly entitlement: 'one' | 'two' | 'accepted';
  readonly acts: readonly Act[];
  readonly reassign?: true;
  readonly stands: { readonly outcome: 'CERTIFIED' | 'DECERTIFIED'; readonly by: Act['by']; readonly until: string };
}

const certify = (by: Act['by'], more: Partial<Act> = {}): Act => ({ by, decision: 'CERTIFY', ...more });
const deny = (by: Act['by'], more: Partial<Act> = {}): Act => ({ by, decision: 'DENY', ...more });
const amend = { amend: true } as const;
const certified = (by: Act['by'], until = ''): Case['stands'] => ({ outcome: 'CERTIFIED', by, until });
const denied = (by: Act['by']): Case['stands'] => ({ outcome: 'DECERTIFIED', by, until: '' });

const cases: readonly Case[] = [
  { account: 'deny', entitlement: 'one', acts: [certify('mona'), deny('mona', amend)], stands: denied('mona') },
  { account: 'certify', entitlement: 'one', acts: [deny('mona'), certify('mona', amend)], stands: certified('mona') },
  {
    account: 'other-date',
    entitlement: 'one',
    acts: [certify('mona', { until: soon }), certify('mona', { ...amend, until: later })],
    stands: certified('mona', later),
  },
  { account: 'no-date', entitlement: 'one', acts: [certify('mona', { until: soon }), certify('mona', amend)], stands: certified('mona') },
  { account: 'date-denied', entitlement: 'one', acts: [certify('mona', { until: soon }), deny('mona', amend)], stands: denied('mona') },
  {
    account: 'denied-date',
    entitlement: 'one',
    acts: [deny('mona'), certify('mona', { ...amend, until: later })],
    stands: certified('mona', later),
  },
  {
    account: 'twice',
    entitlement: 'one',
    acts: [certify('mona'), deny('mona', amend), certify('mona', { ...amend, until: soon })],
    stands: certified('mona', soon),
  },
  { account: 'reassigned', entitlement: 'one', reassign: true, acts: [certify('iris'), deny('iris', amend)], stands: denied('iris') },
  { account: 'delegate', entitlement: 'one', acts: [certify('dora'), deny('dora', amend)], stands: denied('dora') },
  {
    account: 'delegate-back',
    entitlement: 'one',
    acts: [deny('dora'), certify('dora', { ...amend, until: soon })],
    stands: certified('dora', soon),
  },
  { account: 'second-step', entitlement: 'two', acts: [certify('mona'), certify('iris'), deny('iris', amend)], stands: denied('iris') },
  {
    account: 'reopened',
    entitlement: 'two',
    acts: [deny('mona'), certify('mona', amend), certify('iris', { until: soon })],
    stands: certified('iris', soon),
  },
  { account: 'by-policy', entitlement: 'accepted', acts: [certify('mona'), deny('mona', amend)], stands: denied('mona') },
  {
    account: 'by-policy-again',
    entitlement: 'accepted',
    acts: [deny('mona'), certify('mona', { ...amend, until: later })],
    stands: certified('mona', later),
  },
];

let server: TestServer;
let reviewId: string;
const people: Partial<Record<Act['by'], TestPerson>> = {};
const personOf = (by: Act['by']): TestPerson => people[by] as TestPerson;
/** Tasks by account, and the moment of the decision that stands. */
const tasks = new Map<string, { id: string; at: string }>();

async function call(person: TestPerson, method: string, path: string, body?: object): Promise<Loose> {
  const answer = await request(server, person, method, `/api/v1/${path}`, body);
  expect([path, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([path, 200, '']);
  return answer.body;
}
const admin = (method: string, path: string, body?: object): Promise<Loose> => call(server.admin, method, path, body);

async function become(state: string): Promise<void> {
  await until(async () =>
    expect((await admin('GET', `access_review/${reviewId}`)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`),
  );
}

async function decide({ by, decision, until: certifyUntil, amend: isAmended }: Act, taskId: string): Promise<void> {
  // A delegation that was set counts for tokens that are there within seconds.
  await until(async () => expect((await request(server, personOf(by), 'GET', `/api/v1/tasks/${taskId}`)).status).toBe(200));
  const one = {
    taskId,
    decision: `REVIEW_DECISION_${decision}`,
    comment: isAmended ? 'Changed' : '',
    ...(certifyUntil === undefined ? {} : { certifyUntil }),
    ...(isAmended ? { amend: true } : {}),
  };
  const { results } = await call(personOf(by), 'POST', `access_review/${reviewId}/submissions`, { decisions: [one] });
  expect(results.map(({ decided, message }: Loose) => [decided, message])).toEqual([[true, '']]);
}

beforeAll(async () => {
  server = await startTestServer();
  const lines = ['email,display_name,manager_email', 'mona@co.example,Mona,', 'iris@co.example,Iris,', 'dora@co.example,Dora,'];
  await sendFile(server, server.admin, '/api/v1/imports/people', [...lines, 'ann@co.example,Ann,mona@co.example'].join('\n'));
  const rows = cases.map(({ account, entitlement }) => `${account},ann@co.example,USER,role,Main,${entitlement}`);
  const grants = ['account,email,account_type,resource_type,resource,entitlement', ...rows].join('\n');
  const { appId } = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants)).body.import;
  const idOf = async (email: string): Promise<string> => (await admin('POST', 'search/users', { email })).list[0].user.id;
  for (const name of ['mona', 'iris', 'dora'] as const) {
    people[name] = await server.ownClient(await idOf(`${name}@co.example`));
  }
  await admin('POST', `users/${personOf('mona').id}/set-delegation-by-admin`, { delegatedUserId: personOf('dora').id });
  const byMona = { approval: { manager: {}, allowDelegation: true, allowReassignment: true } };
  const byIris = { approval: { users: { userIds: [personOf('iris').id] } } };
  const named = (what: string): string => `entitlement.displayName.endsWith("${what}")`;
  const { policy } = await admin('POST', 'policies', {
    displayName: 'By entitlement',
    policyType: 'POLICY_TYPE_CERTIFY',
    rules: [
      { condition: named('two'), stepKey: 'two' },
      { condition: named('accepted'), stepKey: 'accepted' },
    ],
    policySteps: {
      certify: { steps: [byMona] },
      two: { steps: [byMona, byIris] },
      accepted: { steps: [byMona, { accept: { acceptMessage: 'Rest accepted.' } }] },
    },
  });
  reviewId = (await admin('POST', 'access_review', { displayName: 'Amended', policyId: policy.id })).accessReview.accessReview.id;
  await admin('POST', `access_review/${reviewId}`, { accessReview: { singleApp: { appId } } });
  for (const [action, state] of [
    ['prepare', 'REVIEW'],
    ['start', 'OPEN'],
  ] as const) {
    await admin('POST', `access_review/${reviewId}/action/${action}`, {});
    await become(state);
  }
  const { list } = await admin('POST', 'search/tasks', { accessReviewIds: [reviewId], pageSize: 100, expandMask: { paths: ['*'] } });
  expect(list).toHaveLength(cases.length);
  const accounts = await server.test.admin('SELECT id, external_id FROM accounts WHERE tenant_id = $1', [server.id]);
  for (const one of cases) {
    const account = accounts.find(({ external_id: name }) => name === one.account);
    const id: string = list.find(({ task }: Loose) => task.type.certify.appUserId === account?.['id']).task.id;
    if (one.reassign) {
      await call(personOf('mona'), 'POST', `tasks/${id}/action/reassign`, { newStepUserIds: [personOf('iris').id], comment: 'Yours' });
    }
    for (const act of one.acts) {
      await decide(act, id);
    }
    const [last] = await server.test.admin(
      `SELECT created_at::text AS at FROM task_actions WHERE tenant_id = $1 AND task_id = $2 AND kind <> 'ENDED' ORDER BY id DESC LIMIT 1`,
      [server.id, id],
    );
    tasks.set(one.account, { id, at: new Date(String(last?.['at'])).toISOString() });
  }
}, 240_000);
afterAll(() => server.stop());

/** What stands of an item, as some form of it says. */
interface Standing {
  readonly outcome: string;
  readonly by: string;
  readonly until: string;
  readonly at: string;
}

const nameOf = { mona: 'Mona', iris: 'Iris', dora: 'Dora' } as const;
const wordOf = { CERTIFIED: 'Certified', DECERTIFIED: 'Revoked' } as const;
const expected = (of: (one: Case) => Standing): Record<string, Standing> => Object.fromEntries(cases.map((one) => [one.account, of(one)]));
const standing = (
  { account, stands: { outcome, by, until: end } }: Case,
  says: (outcome: Case['stands']['outcome']) => string,
): Standing => ({
  outcome: says(outcome),
  by: nameOf[by],
  until: end,
  at: tasks.get(account)?.at ?? '',
});
const accountOf = (taskId: string): string => [...tasks].find(([, { id }]) => id === taskId)?.[0] ?? taskId;
const milliseconds = (time: string): string => (time === '' ? '' : new Date(time).toISOString());
const personWith = (id: string): string => nameOf[Object.entries(people).find(([, one]) => one.id === id)?.[0] as Act['by']];
const wholeName = (by: string): string => `${by} <${by.toLowerCase()}@co.example>`;

async function fileOf(format: string): Promise<Buffer> {
  await admin('POST', `access_review/${reviewId}/report`, { format: `ACCESS_REVIEW_REPORT_FORMAT_${format}` });
  return fileBehind(`access_review/${reviewId}/report`, (one) => one.format === `ACCESS_REVIEW_REPORT_FORMAT_${format}`);
}

async function fileBehind(path: string, isIt: (one: Loose) => boolean): Promise<Buffer> {
  const url = await until(async () => {
    const one = (await admin('GET', `${path}?page_size=100`)).list.find(isIt);
    expect(String(one.state)).toMatch(/_(?:OK|DONE)$/);
    return new URL(one.downloadUrl);
  });
  return Buffer.from(await (await server.fetch(url.pathname + url.search)).arrayBuffer());
}

/** Reads the rows of a table with the columns of the report. */
const readTable = (rows: readonly Record<string, string>[]): Record<string, Standing> =>
  Object.fromEntries(
    rows.map((row) => [
      row['Account'],
      {
        outcome: row['Outcome'],
        by: row['Certifiers'],
        until: milliseconds(row['Certified until'] ?? ''),
        at: milliseconds(row['Resolved on'] ?? ''),
      },
    ]),
  ) as Record<string, Standing>;

/** Those whose decisions stand, as a table names them. */
const certifiersOf = ({ acts, stands: { by } }: Case): string => {
  const others = acts.filter(
    (act) => act.by !== by && !acts.some((one) => one.by === act.by && one.decision === 'DENY' && one.amend === true),
  );
  return [...new Set([...others.map((act) => act.by), by])]
    .map((one) => (one === 'dora' ? `${wholeName('Dora')} (in place of ${wholeName('Mona')})` : wholeName(nameOf[one])))
    .join('; ');
};

describe('what was amended', () => {
  it('is shown by tasks and in lists as it stands', async () => {
    const says = (outcome: string): string => `CERTIFY_OUTCOME_${outcome}`;
    const read = ({ type: { certify }, data }: Loose): Standing => ({
      outcome: certify.outcome,
      by: personWith(data.decidedByUserId),
      until: milliseconds(data.certifyUntil ?? ''),
      at: certify.outcomeTime,
    });
    const { list } = await admin('POST', 'search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
    expect(Object.fromEntries(list.map(({ task }: Loose) => [accountOf(task.id), read(task)]))).toEqual(
      expected((one) => standing(one, says)),
    );
    for (const one of cases) {
      const { task } = (await admin('GET', `tasks/${tasks.get(one.account)?.id}`)).taskView;
      expect([one.account, read(task)]).toEqual([one.account, standing(one, says)]);
      const { approval } = task.policy.history.at(-1);
      const decided = one.stands.outcome === 'CERTIFIED' ? approval.approved : approval.denied;
      expect([one.account, decided?.userId, milliseconds(decided?.approvedAt ?? decided?.deniedAt ?? '')]).toEqual([
        one.account,
        personOf(one.stands.by).id,
        tasks.get(one.account)?.at,
      ]);
    }
  });

  it('stands in JSON with the decisions before it marked as history, those of the policy behind them, too', async () => {
    const rows: Loose[] = JSON.parse((await fileOf('JSON')).toString());
    const read = ({ outcome, certifyUntil = '', resolvedOn, certifiers }: Loose): Standing => ({
      outcome,
      by: certifiers.at(-1).name,
      until: certifyUntil,
      at: resolvedOn,
    });
    expect(Object.fromEntries(rows.map((row) => [row.account, read(row)]))).toEqual(expected((one) => standing(one, (outcome) => outcome)));
    for (const { account, outcome, decisions } of rows) {
      const counted: Loose[] = decisions.filter(({ isAmended }: Loose) => !isAmended);
      const last = outcome === 'CERTIFIED' ? 'CERTIFIED' : 'DENIED';
      expect([account, counted.at(-1).decision, counted.slice(0, -1).map(({ decision }) => decision)]).toEqual([
        account,
        last,
        counted.slice(0, -1).map(() => 'CERTIFIED'),
      ]);
    }
  });

  it('stands in CSV and Excel files', async () => {
    const inTable = expected((one) => ({ ...standing(one, (outcome) => wordOf[outcome]), by: certifiersOf(one) }));
    expect(readTable(parse<Record<string, string>>((await fileOf('CSV')).toString(), { bom: true, columns: true }))).toEqual(inTable);
    const sheet = await readXlsx(await fileOf('XLSX'), 'Decisions 1', { maxExpansion: 1_000, maxRowBytes: 1e6 });
    const [names = [], ...rows] = sheet.rows;
    const cells = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
    const inExcel = readTable(cells.map((row) => ({ ...row, 'Resolved on': String(row['Resolved on']) })));
    // Excel has no time zones, and its moments end at the second where a reader shows no more.
    const toSecond = (all: Record<string, Standing>) =>
      Object.fromEntries(
        Object.entries(all).map(([account, one]) => [account, { ...one, at: one.at.slice(0, 16), until: one.until.slice(0, 16) }]),
      );
    expect(toSecond(inExcel)).toEqual(toSecond(inTable));
  });

  it('is what its maker reads, and removals are those of what is denied now', async () => {
    for (const by of ['mona', 'iris', 'dora'] as const) {
      const { list } = await call(personOf(by), 'GET', 'my/certified_until?page_size=100');
      const own = cases.filter(({ stands }) => stands.by === by && stands.until !== '');
      expect(list.map((one: Loose) => [accountOf(one.taskId), milliseconds(one.certifyUntil)]).sort()).toEqual(
        own.map(({ account, stands }) => [account, stands.until]).sort(),
      );
    }
    const { list } = await admin('GET', `revocations?access_review_id=${reviewId}&page_size=100`);
    const open = list.filter(({ state }: Loose) => state !== 'REVOCATION_STATE_CANCELLED');
    expect(open.map(({ taskId, certifyTaskId = taskId }: Loose) => accountOf(certifyTaskId)).sort()).toEqual(
      cases
        .filter(({ stands }) => stands.outcome === 'DECERTIFIED')
        .map(({ account }) => account)
        .sort(),
    );
  });

  it('counts what was withdrawn apart from what is denied', async () => {
    const denied = cases.filter(({ stands }) => stands.outcome === 'DECERTIFIED').length;
    const { counts, removals } = await admin('GET', `access_review/${reviewId}/progress`);
    expect([counts.revoked, Number(removals.total) - Number(removals.withdrawn)]).toEqual([String(denied), denied]);
  });

  it('stands in the evidence of the closed review, which both verifiers find whole', async () => {
    await admin('POST', `access_review/${reviewId}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
    await become('CLOSED');
    await admin('POST', `access_review/${reviewId}/evidence`, {});
    const bundle = await fileBehind(`access_review/${reviewId}/evidence`, () => true);
    const files = takeApart(bundle);
    const decisions = linesOf<Loose>(files, 'decisions.jsonl');
    const read = ({ item, outcome, endedAt }: Loose): Standing => {
      const last = decisions.findLast((one) => one.item === item && one.by !== '');
      return { outcome, by: personWith(last.by), until: milliseconds(last.data.certifyUntil ?? ''), at: endedAt };
    };
    expect(Object.fromEntries(linesOf<Loose>(files, 'outcomes.jsonl').map((one) => [accountOf(one.item), read(one)]))).toEqual(
      expected((one) => standing(one, (outcome) => outcome)),
    );
    const folder = await mkdtemp(join(tmpdir(), 'amended-'));
    await writeFile(join(folder, 'a.zip'), bundle);
    await writeFile(join(folder, 'key.txt'), containedFile(join(folder, 'a.zip'), 'keys/policy.txt'));
    const options = [join(folder, 'a.zip'), '--key', join(folder, 'key.txt')] as const;
    const first = await runInProcess(['verify', ...options], { env: {} });
    const second = askSecondVerifier(...options);
    await rm(folder, { recursive: true });
    expect([first.code, second.status, first.stdout, second.stdout]).toEqual([0, 0, expect.any(String), expect.any(String)]);
  });
});
