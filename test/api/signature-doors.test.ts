/**
 * No way around a signature: every way in which an item of a review that asks for signatures ends or changes, each asked for over HTTP. What no person
 * signed says so wherever the item is shown.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Answer, type Loose, request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { readPdf } from '../support/read-pdf.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { listOperations } from '../support/operations.ts';
import type { TestPerson } from '../support/server.ts';
import { browse, meaning, type SigningTest, startSigning } from '../support/signing.ts';
import { requestWith } from '../support/sign-in.ts';

let test: SigningTest;
let reviewId: string;
/** Ids of the tasks by entitlement, of those of person 0 in resource R00. */
let tasks: Record<string, string>;
/** Tasks of the policy of the tenant. */
let plain: string[];
/** Two tasks with their signatures: an amended one with both, and one that the database alone says was decided. */
let amended: { readonly id: string; readonly first: string; readonly second: string };
let forged: string;
/** A task that a delegate signed. */
let delegated: { readonly id: string; readonly signature: string; readonly printedName: string };

const as = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(test.server, person, method, path, body);
const taskOf = async (id: string): Promise<Loose> => (await test.admin('GET', `/api/v1/tasks/${id}`)).taskView.task;
const signedOf = async (id: string): Promise<Loose> => (await taskOf(id)).data.signature;
const sign = (id: string): Promise<Answer> => test.send('POST', `/api/v1/signatures/${id}/sign`, {});
/** Submits and signs as the assignee. */
async function submit(decisions: readonly object[], review = reviewId): Promise<Loose> {
  const signed = await sign((await test.prepare(review, decisions)).id);
  expect(signed.body).toMatchObject({ signature: { state: 'SIGNATURE_STATE_SIGNED' } });
  return signed.body;
}
const certify = (taskId: string): object => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' });

beforeAll(async () => {
  test = await startSigning();
  const { admin, world } = test;
  const makePolicy = async (displayName: string, steps: readonly object[]): Promise<string> => {
    const policySteps = { certify: { steps } };
    return (await admin('POST', '/api/v1/policies', { displayName, policyType: 'POLICY_TYPE_CERTIFY', policySteps })).policy.id;
  };
  const asks = { approval: { users: { userIds: [world.assignee.id] }, allowReassignment: true } };
  const policies: Record<string, string> = {
    e01: await makePolicy('Accepts', [{ accept: { acceptMessage: 'Low risk.' } }]),
    e02: await makePolicy('Rejects', [{ reject: { rejectMessage: 'Never allowed.' } }]),
    e03: await makePolicy('Asks, then accepts', [asks, { accept: {} }]),
    e04: await makePolicy('Asks twice', [asks, asks]),
    e06: await makePolicy('Lets delegates decide', [{ approval: { ...asks.approval, allowDelegation: true } }]),
    e05: await makePolicy('Waits, then accepts', [{ wait: { name: 'An hour', duration: { duration: '3600s' } } }, { accept: {} }]),
  };
  const at = `/api/v1/apps/${world.appId}/entitlements`;
  const { list } = await admin('GET', `${at}/resource_types/${world.resourceTypeId}/resources/${world.resourceId}?page_size=100`);
  const names = new Map<string, string>(
    list.map(({ appEntitlement }: Loose) => [appEntitlement.id, appEntitlement.displayName.split(' ').at(-1)]),
  );
  for (const [id, name] of names) {
    if (policies[name] !== undefined) {
      await admin('POST', `${at}/${id}`, { entitlement: { certifyPolicyId: policies[name] } });
    }
  }
  const signatureConfig = { requireSignature: true, meaningOfSignature: meaning };
  reviewId = await world.openReview({ usePolicyOverride: true, signatureConfig });
  const found = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 })).list;
  tasks = Object.fromEntries(found.map(({ task }: Loose) => [names.get(task.type.certify.appEntitlementId) ?? task.id, task.id]));
  const mine = await test.send('POST', '/api/v1/search/tasks', {
    accessReviewIds: [reviewId],
    taskStates: ['TASK_STATE_OPEN'],
    pageSize: 100,
  });
  plain = mine.body.list
    .map(({ task }: Loose) => task.id)
    .filter((id: string) => !Object.keys(policies).some((name) => tasks[name] === id));
}, 120_000);
afterAll(() => test.stop());

/** What each act on a task comes to where its review asks for signatures; an act that is new fails until it has its line. */
const acts: Readonly<Record<string, { readonly body?: () => object; readonly comes: 'refused' | 'open' | 'ended' | 'waits' }>> = {
  'TaskActionsService.approve': { comes: 'refused' },
  'TaskActionsService.deny': { comes: 'refused' },
  'CertifyTaskService.approveUntil': { comes: 'refused', body: () => ({ certifyUntil: new Date(Date.now() + 10 * 86_400_000) }) },
  // It asks for a step-up, and this review for none.
  'TaskActionsService.approveWithStepUp': { comes: 'refused' },
  'TaskActionsService.escalateToEmergencyAccess': { comes: 'refused' },
  'TaskActionsService.retryProvisioning': { comes: 'refused' },
  'TaskActionsService.updateGrantDuration': { comes: 'refused' },
  'TaskActionsService.updateRequestData': { comes: 'refused' },
  'TaskActionsService.processNow': { comes: 'open' },
  'CertifyTaskService.remind': { comes: 'open' },
  'TaskActionsService.comment': { comes: 'open' },
  'TaskActionsService.reassign': { comes: 'open', body: () => ({ newStepUserIds: [test.server.admin.id] }) },
  'TaskActionsService.restart': { comes: 'open' },
  'TaskActionsService.hardReset': { comes: 'open' },
  'TaskActionsService.close': { comes: 'ended' },
  'TaskActionsService.skipStep': { comes: 'ended' },
};
const operations = (await listOperations()).filter(({ desc }) =>
  /\/tasks\/\{task_id\}\/action\//.test(JSON.stringify(contractRoute(desc))),
);

describe('an act on an item', () => {
  it('is known here', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(acts).sort());
  });

  it.each(operations.map(({ name, desc }) => [name, contractRoute(desc)] as const))(
    'decides nothing by itself: %s',
    async (name, route) => {
      const { comes, body } = acts[name] ?? { comes: 'refused' };
      const taskId = plain.shift() ?? '';
      const path = route.template.replace('{task_id}', taskId);
      const answers = [
        await test.send('POST', path, { comment: 'Why not.', ...body?.() }),
        await as(test.world.owner, 'POST', path, { comment: 'Why not.', ...body?.() }),
        await as(test.server.admin, 'POST', path, { comment: 'Why not.', ...body?.() }),
      ];
      const task = await taskOf(taskId);
      if (comes === 'ended') {
        expect([task.state, task.data.signature]).toEqual(['TASK_STATE_CLOSED', { state: 'NOT_BY_PERSON' }]);
        expect(task.type.certify.outcome).toBe('CERTIFY_OUTCOME_CANCELLED');
      } else {
        expect([task.state, task.data.signature]).toEqual(['TASK_STATE_OPEN', undefined]);
        expect(answers.some(({ status }) => status === 200)).toBe(comes === 'open');
      }
    },
  );

  it('leads to signing where the review asks for signatures without a step-up', async () => {
    const answer = await test.send('POST', `/api/v1/tasks/${plain[0]}/action/approve-with-step-up`, {});
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('submit your decisions, then sign them')]);
  });
});

describe('decisions that are sent', () => {
  it('decide nothing before they are signed, whoever sends them and however', async () => {
    const [mine = '', owners = '', admins = '', staged = '', issued = ''] = plain.splice(0, 5);
    const path = `/api/v1/access_review/${reviewId}`;
    const decisions = (id: string) => ({ decisions: [certify(id)] });
    expect((await test.send('POST', `${path}/submissions`, decisions(mine))).body.signature.state).toBe('SIGNATURE_STATE_PREPARED');
    expect((await as(test.world.owner, 'POST', `${path}/submissions`, decisions(owners))).body.signature.userId).toBe(test.world.owner.id);
    expect((await as(test.server.admin, 'POST', `${path}/submissions`, decisions(admins))).body.signature.userId).toBe(
      test.server.admin.id,
    );
    await test.send('PUT', `${path}/pending_decisions`, decisions(staged));
    expect((await test.send('POST', `${path}/submissions`, { all: true })).body.signature.certified).toBe('1');
    const through = await test.server.issueClient(test.world.assignee.id);
    expect((await as(through, 'POST', `${path}/submissions`, decisions(issued))).status).toBe(403);
    for (const id of [mine, owners, admins, staged, issued]) {
      expect((await taskOf(id)).state).toBe('TASK_STATE_OPEN');
    }
  });
});

describe('what waits for a signature', () => {
  it('is counted beside what is signed, over HTTP and by the command line', async () => {
    const { signature } = await submit([certify(plain.shift() ?? ''), certify(plain.shift() ?? '')]);
    const progress = await test.admin('GET', `/api/v1/access_review/${reviewId}/progress`);
    const waiting = { waitingSubmissions: '4', waitingDecisions: '4', waitingSigners: '3' };
    expect(progress.signatures).toEqual({ submissions: '1', decisions: signature.certified, signers: '1', ...waiting });
    const env = environmentFor(test.server.url, test.server.admin.credential);
    const { stdout } = await runInProcess(['review', 'progress', reviewId], { env });
    expect(stdout).toContain(
      'signed: 1 submission of 1 person with 2 decisions; 4 submissions of 3 people with 4 decisions wait for a signature',
    );
    const plainId = await test.world.openReview();
    expect((await test.admin('GET', `/api/v1/access_review/${plainId}/progress`)).signatures).toBeUndefined();
  });
});

describe('an item', () => {
  const byNobody = { state: 'NOT_BY_PERSON' };

  it.each(['e01', 'e02'])('that a policy ended by itself is shown as not signed by a person: %s', async (name) => {
    const task = await taskOf(tasks[name] ?? '');
    expect([task.state, task.data.signature]).toEqual(['TASK_STATE_CLOSED', byNobody]);
  });

  it('that somebody signed names the signature, also behind a policy that accepts what they approved', async () => {
    for (const taskId of [plain.shift() ?? '', tasks['e03'] ?? '']) {
      const { signature } = await submit([certify(taskId)]);
      const { id, printedName, signedAt } = signature;
      expect(await signedOf(taskId)).toEqual({ state: 'SIGNED', id, printedName, signedAt: new Date(signedAt).toISOString(), meaning });
    }
  });

  it('is signed once the last of its steps is, and a step that is skipped leaves the signature that counts', async () => {
    const taskId = tasks['e04'] ?? '';
    const { signature } = await submit([certify(taskId)]);
    expect(await signedOf(taskId)).toBeUndefined();
    await as(test.world.owner, 'POST', `/api/v1/tasks/${taskId}/action/skip-step`, { comment: 'One is enough.' });
    expect(await signedOf(taskId)).toMatchObject({ state: 'SIGNED', id: signature.id });
  });

  it('that is amended names the signature of the decision that counts, and one that is started over none', async () => {
    const taskId = plain.shift() ?? '';
    const first = await submit([certify(taskId)]);
    const second = await submit([{ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Left.', amend: true }]);
    expect(second.signature.id).not.toBe(first.signature.id);
    expect(await signedOf(taskId)).toMatchObject({ state: 'SIGNED', id: second.signature.id });
    const other = plain.shift() ?? '';
    const [before, after] = [
      await submit([certify(other)]),
      await submit([{ taskId: other, decision: 'REVIEW_DECISION_DENY', comment: 'Left.', amend: true }]),
    ];
    amended = { id: other, first: before.signature.id, second: after.signature.id };
    await as(test.world.owner, 'POST', `/api/v1/tasks/${taskId}/action/restart`, { comment: 'Again.' });
    expect(await signedOf(taskId)).toBeUndefined();
    const again = await submit([certify(taskId)]);
    expect(await signedOf(taskId)).toMatchObject({ state: 'SIGNED', id: again.signature.id });
  });

  it('that a delegate decides is signed by the delegate, and says in whose place', async () => {
    const { world, server, admin } = test;
    const [delegate, taskId] = [world.basic, tasks['e06'] ?? ''];
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const delegation = { delegatedUserId: delegate.id, delegationStartAt: at(-1), delegationExpireAt: at(1) };
    await admin('POST', `/api/v1/users/${world.assignee.id}/set-delegation-by-admin`, delegation);
    const browser = await browse(server, delegate);
    const send = (path: string, body: object) => requestWith(server, browser.header(server), 'POST', path, body);
    expect((await send(`/api/v1/tasks/${taskId}/action/approve`, {})).status).toBe(400);
    const { signature } = (await send(`/api/v1/access_review/${reviewId}/submissions`, { decisions: [certify(taskId)] })).body;
    expect((await send(`/api/v1/signatures/${signature.id}/sign`, {})).status).toBe(200);
    const { printedName } = await signedOf(taskId);
    expect(printedName).not.toBe('Person 01');
    expect(JSON.parse((await admin('GET', `/api/v1/signatures/${signature.id}`)).signature.record).signer.id).toBe(delegate.id);
    delegated = { id: taskId, signature: signature.id, printedName };
  });

  it('that was decided in the database alone is shown as not signed', async () => {
    const taskId = plain.shift() ?? '';
    const { db, tenantId } = test.server.system();
    await db.run(
      `UPDATE tasks SET state = 'CLOSED', outcome = 'CERTIFIED', end_reason = 'DECIDED', decided_by_id = $3, ended_at = now()
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, taskId, test.world.assignee.id],
    );
    expect(await signedOf(taskId)).toEqual({ state: 'NOT_SIGNED' });
    forged = taskId;
  });

  it('that nobody decided before the close, or that is carried over into the next review, is shown as not signed by a person', async () => {
    const undecided = plain[0] ?? '';
    const path = (id: string): string => `/api/v1/access_review/${id}`;
    await test.admin('POST', `${path(reviewId)}/action/close`, { decision: 'CLOSE_DECISION_REVOKED' });
    await test.world.until(reviewId, 'CLOSED');
    const closed = await taskOf(undecided);
    expect([closed.type.certify.outcome, closed.data.signature]).toEqual(['CERTIFY_OUTCOME_DECERTIFIED', byNobody]);
    const insights: string = (await test.world.until(reviewId, 'CLOSED')).campaignInsights.markdown;
    expect(insights).toContain('- **Waited unsigned:** 4 submissions of 3 people. What was in them counts as undecided: 4 items.');
    expect(insights).toContain('- **Signed:** 8 items, by the people who decided them. 67 ended without a person, so that nobody signed.');
    expect(insights).toContain('1 item that a person is said to have decided has NO SIGNATURE.');
    const next = (await test.admin('POST', '/api/v1/access_review', { displayName: 'Next', duplicateFrom: reviewId })).accessReview
      .accessReview.id;
    await test.admin('PUT', `${path(next)}/scope_lists`, { changesOnly: true });
    await test.admin('POST', `${path(next)}/action/prepare`, {});
    await test.world.until(next, 'REVIEW');
    await test.admin('POST', `${path(next)}/action/start`, {});
    await test.world.until(next, 'OPEN');
    const { list } = await test.admin('POST', '/api/v1/search/tasks', {
      accessReviewIds: [next],
      taskStates: ['TASK_STATE_CLOSED'],
      pageSize: 100,
    });
    const carried = list.filter(({ task }: Loose) => task.data.endReason === 'CARRIED');
    expect(carried.length).toBeGreaterThan(0);
    expect(carried.map(({ task }: Loose) => task.data.signature)).toEqual(carried.map(() => byNobody));
  });
});

describe('a report of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'doors-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const make = async (format: string): Promise<Buffer> => {
    const file = join(folder, `report.${format}`);
    const env = environmentFor(test.server.url, test.server.admin.credential);
    expect(await runInProcess(['review', 'report', reviewId, '--format', format, '--output', file], { env })).toMatchObject({ code: 0 });
    return readFileSync(file);
  };
  const stateOf = (item: Loose): string => item.signature?.state ?? 'OPEN';

  it('says of each item and of each decision whether it is signed, as JSON', async () => {
    const items: Loose[] = JSON.parse((await make('json')).toString());
    const shown = await Promise.all(items.map(async ({ taskId }) => (await signedOf(taskId))?.state ?? 'OPEN'));
    expect(items.map(stateOf)).toEqual(shown);
    expect(new Set(shown)).toEqual(new Set(['SIGNED', 'NOT_BY_PERSON', 'NOT_SIGNED']));
    const { signature, decisions } = items.find(({ taskId }) => taskId === amended.id);
    expect(signature).toMatchObject({ state: 'SIGNED', id: amended.second, printedName: 'Person 01', meaning });
    expect(decisions.map((decision: Loose) => [decision.signature.id, decision.isAmended])).toEqual([
      [amended.first, true],
      [amended.second, false],
    ]);
    const inPlace = items.find(({ taskId }) => taskId === delegated.id);
    expect(inPlace.signature).toMatchObject({ id: delegated.signature, printedName: delegated.printedName });
    expect(inPlace.decisions).toMatchObject([{ inPlaceOf: { name: 'Person 01' }, signature: { printedName: delegated.printedName } }]);
    const accepted = items.find(({ taskId }) => taskId === tasks['e03']);
    expect(accepted.decisions.map((decision: Loose) => decision.signature?.printedName)).toEqual(['Person 01', undefined]);
  });

  it('says so as CSV, with printed name, time, meaning and id', async () => {
    const rows = parse((await make('csv')).toString(), { columns: true, bom: true }) as unknown as Record<string, string>[];
    const signed = rows.find((row) => row['Signature']?.includes(amended.second));
    expect(signed?.['Signature']).toMatch(new RegExp(`^Signed by Person 01 on 20\\S+Z: ${meaning} \\(signature ${amended.second}\\)$`));
    expect(signed?.['Decisions in full']).toMatch(new RegExp(`signature ${amended.first}.*signature ${amended.second}`));
    const count = (what: string): number => rows.filter((row) => row['Signature']?.startsWith(what)).length;
    expect(count('NOT SIGNED')).toBe(1);
    expect(count('Signed by ') + count('Not signed by a person') + count('NOT SIGNED')).toBe(rows.length);
    expect(rows.find((row) => row['Signature']?.startsWith('NOT SIGNED'))?.['Task']).toBe(String((await taskOf(forged)).numericId));
    expect(rows.filter((row) => /by the policy \(step \d, not signed by a person\)/.test(row['Decisions in full'] ?? '')).length).toBe(3);
  });

  it('names them as an Excel file, whose figures add up', async () => {
    const file = await make('xlsx');
    const read = async (sheet: string): Promise<string[][]> =>
      (await readXlsx(file, sheet, { maxExpansion: 1_000, maxRowBytes: 1e6 })).rows;
    const [head = [], ...rows] = await read('Decisions 1');
    const signatures = rows.map((row) => row[head.indexOf('Signature')] ?? '');
    const summary = new Map((await read('Summary')).map(([name, value]) => [name, Number(value)]));
    const figure = (name: string): number => summary.get(name) ?? 0;
    const [bySigners, byNobody, without] = [
      'Signed by the person who decided',
      'Not signed by a person',
      'NOT SIGNED, although a person is said to have decided',
    ].map(figure);
    expect([bySigners, byNobody, without]).toEqual(
      ['Signed by', 'Not signed', 'NOT SIGNED'].map((what) => signatures.filter((one) => one.startsWith(what)).length),
    );
    expect((bySigners ?? 0) + (byNobody ?? 0) + (without ?? 0) + figure('Open')).toBe(figure('Items'));
    const [titles = [], ...people] = await read('Reviewers');
    const waited = people.map((row) => row[titles.indexOf('Undecided, since their submission waited unsigned')]);
    expect(waited.reduce((sum, count) => sum + Number(count), 0)).toBe(4);
    const [heads = [], ...given] = await read('Signatures 1');
    expect(given.map((row) => row[heads.indexOf('Signature (id)')])).toContain(amended.second);
    const [columns = [], ...denied] = await read('Revocations 1');
    expect(denied.map((row) => row[columns.indexOf('Denied by signature (id)')])).toContain(amended.second);
    expect(denied.map((row) => row[columns.indexOf('Denied by signature (id)')])).toContain('none');
  });

  it('names them as a PDF file', async () => {
    const text = readPdf(await make('pdf'))
      .flat()
      .join('')
      .replace(/\s/g, '');
    expect(text).toContain(amended.second.slice(0, 8));
    expect(text).toContain('Notsignedbyaperson');
  });
});
