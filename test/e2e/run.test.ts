/**
 * A whole review through the command line and the API, from files to report, over the domino data set. What is expected is computed from the
 * CSV by the few lines of plain TypeScript at the top, not by the product.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskService } from '../../src/gen/c1/api/task/v1/task_service_pb.js';
import { TaskActionsService } from '../../src/gen/c1/api/task/v1/task_actions_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { ReviewSubmissionService } from '../../src/gen/countersign/v1/review_pb.js';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { type DataSet, readDataSet } from '../support/data-sets.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

/** Reviewer of a grant: the manager if active, else the review's owner ('' here); nobody is asked about themselves. */
function expectedReviewer(data: DataSet, email: string): string {
  const person = data.people.find((one) => one.email === email);
  const manager = data.people.find((one) => one.email === person?.manager_email);
  return manager !== undefined && manager.employment_status === 'ACTIVE' && manager.email !== email ? manager.email : '';
}

/** One line for each grant, the same grant twice being one. An entitlement's name says on what it is. */
function distinctGrants(data: DataSet): Map<string, DataSet['grants'][number]> {
  return new Map(data.grants.map((grant) => [keyOf(grant.account, grant.resource, `${grant.resource} ${grant.entitlement}`), grant]));
}

function keyOf(account: string, resource: string, entitlement: string): string {
  return [account, resource, entitlement].join('|');
}

/** Decides an item from its key alone: four in five are certified, one is denied. */
function decisionFor(key: string): 'CERTIFY' | 'DENY' {
  const sum = [...key].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return sum % 5 === 0 ? 'DENY' : 'CERTIFY';
}

let server: TestServer;
let data: DataSet;
let folder: string;
let env: Record<string, string>;
let reviewId = '';
/** Items left undecided on purpose, by key. */
const undecided = new Set<string>();

async function command<T>(...args: string[]): Promise<T> {
  const result = await runInProcess([...args, '--json'], { env });
  expect(result.stderr).toBe('');
  expect(result.code).toBe(0);
  return JSON.parse(result.stdout) as T;
}

beforeAll(async () => {
  server = await useTestServer();
  env = environmentFor(server.url, server.admin.credential);
  data = readDataSet('domino');
  folder = mkdtempSync(join(tmpdir(), 'cs-run-'));
  writeFileSync(join(folder, 'people.csv'), data.peopleCsv);
  writeFileSync(join(folder, 'grants.csv.gz'), gzipSync(data.grantsCsv));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a review from files to report', () => {
  it('imports people and grants, and the same files again change nothing', async () => {
    const grants = String(distinctGrants(data).size);
    const people = await command<Record<string, unknown>>('import', 'people', join(folder, 'people.csv'));
    expect(people).toMatchObject({ kind: 'IMPORT_KIND_PEOPLE', rows: String(data.people.length), added: String(data.people.length) });
    const made = await command<Record<string, unknown>>('import', 'grants', join(folder, 'grants.csv.gz'), '--app', 'domino');
    expect(made).toMatchObject({ kind: 'IMPORT_KIND_GRANTS', rows: String(data.grants.length), added: grants });
    const piped = await runInProcess(['import', 'grants', '-', '--app', 'domino', '--json'], { env, stdin: data.grantsCsv });
    expect(JSON.parse(piped.stdout)).toMatchObject({ added: '0', changed: '0', removed: '0', unchanged: grants });
    await expect(command('import', 'people', join(folder, 'people.csv'))).resolves.toMatchObject({
      added: '0',
      changed: '0',
      removed: '0',
    });
    expect(await command<unknown[]>('user', 'list')).toHaveLength(data.people.length + 1);
  });

  it('refuses a file with a wrong row, saying where', async () => {
    const result = await runInProcess(['import', 'grants', '-', '--app', 'other', '--json'], { env, stdin: 'account,email\n' });
    expect(result.code).toBe(1);
    const { error } = JSON.parse(result.stderr);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', violations: [{ field: 'line 1' }], requestId: expect.stringMatching(/./) });
    expect(error.message).toContain('--show-mapping');
  });

  it('previews what would be asked, and of whom', async () => {
    const review = await command<{ id: string; state: string }>('review', 'create', '--name', 'Domino', '--app', 'domino');
    reviewId = review.id;
    expect(review.state).toBe('ACCESS_REVIEW_STATE_DRAFT');
    const grants = [...distinctGrants(data).values()];
    const byReviewer = new Map<string, number>();
    for (const grant of grants) {
      const reviewer = expectedReviewer(data, grant.email);
      byReviewer.set(reviewer, (byReviewer.get(reviewer) ?? 0) + 1);
    }
    interface Preview {
      reviewers: { userId: string; items: string }[];
    }
    const preview = await command<Preview>('review', 'preview', reviewId);
    expect(preview).toMatchObject({
      items: String(grants.length),
      accounts: String(new Set(grants.map((grant) => grant.account)).size),
      people: String(new Set(grants.map((grant) => grant.email).filter((email) => email !== '')).size),
      entitlements: String(new Set(grants.map((grant) => `${grant.resource}|${grant.entitlement}`)).size),
      appCount: '1',
      apps: [{ displayName: 'domino', items: String(grants.length) }],
      unassignedItems: '0',
      reviewerCount: String(byReviewer.size),
    });
    const mails = await mailById();
    const shown = Object.fromEntries(
      preview.reviewers.map((one) => [one.userId === server.admin.id ? '' : mails.get(one.userId), Number(one.items)]),
    );
    expect(shown).toEqual(Object.fromEntries(byReviewer));
  });

  it('is prepared and started', async () => {
    await expect(command('review', 'prepare', reviewId)).resolves.toMatchObject({
      state: 'ACCESS_REVIEW_STATE_REVIEW',
      expectedTicketCount: distinctGrants(data).size,
    });
    await expect(command('review', 'start', reviewId)).resolves.toMatchObject({ state: 'ACCESS_REVIEW_STATE_OPEN' });
  });

  it('is worked on by the people it asks', async () => {
    const mails = await mailById();
    const idOf = new Map([...mails].map(([id, mail]) => [mail, id]));
    const reviewers = new Set([...distinctGrants(data).values()].map((grant) => expectedReviewer(data, grant.email)));
    for (const mail of reviewers) {
      const worker = mail === '' ? server.admin : await server.issueClient(idOf.get(mail) ?? '');
      const tasks: { id: string; key: string }[] = [];
      const request = { accessReviewIds: [reviewId], assigneesInIds: [worker.id], expandMask: { paths: ['*'] } };
      for await (const view of worker.client.pages(TaskService.method.search, request)) {
        tasks.push({ id: view.task?.id ?? '', key: await keyOfTask(view.task?.id ?? '') });
      }
      const wanted = [...distinctGrants(data)].filter(([, grant]) => expectedReviewer(data, grant.email) === mail).map(([key]) => key);
      expect(tasks.map((task) => task.key).sort()).toEqual(wanted.sort());
      if (undecided.size === 0 && tasks.length > 10) {
        // One at a time, and the last three not at all.
        for (const task of tasks.slice(0, -3)) {
          const method = decisionFor(task.key) === 'CERTIFY' ? TaskActionsService.method.approve : TaskActionsService.method.deny;
          await worker.client.call(method as typeof TaskActionsService.method.approve, { taskId: task.id, comment: `about ${task.key}` });
        }
        for (const task of tasks.slice(-3)) {
          undecided.add(task.key);
        }
      } else {
        const decisions = tasks.map((task) => ({ taskId: task.id, decision: `REVIEW_DECISION_${decisionFor(task.key)}` as const }));
        const reply = await worker.client.call(ReviewSubmissionService.method.submit, { accessReviewId: reviewId, decisions });
        expect(reply.results?.every((result) => result.decided === true)).toBe(true);
      }
    }
    expect(undecided.size).toBe(3);
  });

  it('is closed, and its report says of every item who decided what, or why nobody did', async () => {
    await expect(command('review', 'close', reviewId, '--decision', 'revoke', '--yes')).resolves.toMatchObject({
      state: 'ACCESS_REVIEW_STATE_CLOSED',
    });
    const [csvFile, jsonFile] = [join(folder, 'report.csv'), join(folder, 'report.json')];
    await command('review', 'report', reviewId, '--format', 'csv', '--output', csvFile);
    await command('review', 'report', reviewId, '--format', 'json', '--output', jsonFile);
    const pdfFile = join(folder, 'report.pdf');
    await command('review', 'report', reviewId, '--format', 'pdf', '--output', pdfFile);
    const pdf = readFileSync(pdfFile);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    // The file that was downloaded is the one that the list has the hash of.
    expect(await command('review', 'reports', reviewId)).toContainEqual(
      expect.objectContaining({
        format: 'ACCESS_REVIEW_REPORT_FORMAT_PDF',
        hashes: { SHA256: createHash('sha256').update(pdf).digest('hex'), MD5: createHash('md5').update(pdf).digest('hex') },
      }),
    );
    const rows = parse<Record<string, string>>(readFileSync(csvFile), { bom: true, columns: true });
    const objects = JSON.parse(readFileSync(jsonFile, 'utf8')) as {
      outcome: string;
      endReason: string;
      certifiers: { email: string; issuedBy?: { id: string } }[];
    }[];
    const grants = distinctGrants(data);
    expect(rows).toHaveLength(grants.size);
    expect(objects).toHaveLength(grants.size);
    for (const [index, row] of rows.entries()) {
      const key = keyOf(row['Account'] ?? '', row['Resource'] ?? '', row['Entitlement'] ?? '');
      const grant = grants.get(key);
      const object = objects[index];
      expect(grant, key).toBeDefined();
      grants.delete(key);
      expect(row['Account owner email']).toBe(grant?.email);
      expect(row['Resolved on']).not.toBe('');
      if (undecided.has(key)) {
        expect(row).toMatchObject({ Certifiers: '', Decisions: 'Nobody had decided when the review was closed: revoked.' });
        expect(object).toMatchObject({ outcome: 'DECERTIFIED', endReason: 'REVOKED_AT_CLOSE', certifiers: [] });
        continue;
      }
      const reviewer = expectedReviewer(data, grant?.email ?? '');
      const denied = decisionFor(key) === 'DENY';
      expect(row['Decisions']).toBe(denied ? 'Denied' : 'Certified');
      expect(row['Certifiers']).toContain(reviewer === '' ? server.admin.email : reviewer);
      expect(row['Certifiers']?.includes(`(credential issued by Administrator <${server.admin.email}>`)).toBe(reviewer !== '');
      expect(object).toMatchObject({ outcome: denied ? 'DECERTIFIED' : 'CERTIFIED', endReason: 'DECIDED' });
    }
    expect(grants.size).toBe(0);
  });

  it('refuses what comes after the end', async () => {
    const result = await runInProcess(['review', 'start', reviewId, '--json'], { env });
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { message: expect.stringContaining('CLOSED') } });
  });
});

async function mailById(): Promise<Map<string, string>> {
  const mails = new Map<string, string>();
  for await (const view of server.admin.client.pages(UserService.method.list, {})) {
    mails.set(view.user?.id ?? '', view.user?.email ?? '');
  }
  return mails;
}

let keys: Map<string, string> | undefined;

/** The key of a task's item, from the snapshot. */
async function keyOfTask(taskId: string): Promise<string> {
  if (keys === undefined) {
    const rows = await server.system().db.rows<{ id: string; account: string; resource: string; entitlement: string }>(
      `SELECT t.id, a.external_id AS account, e.resource_display_name AS resource, e.display_name AS entitlement
       FROM tasks t
       JOIN review_accounts a ON a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
       JOIN review_entitlements e ON e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`,
    );
    keys = new Map(rows.map((row) => [row.id, keyOf(row.account, row.resource, row.entitlement)]));
  }
  return keys.get(taskId) ?? '';
}
