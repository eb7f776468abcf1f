/** Reports over the database: every item once and in order, whoever decided named, only for those who may, and never another tenant's. */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { readXlsx } from '../../../test/support/read-xlsx.ts';
import { addAssignment, addTasksOf, addTask } from '../../../test/support/tasks.ts';
import { callJobs, createRunner, type Runner } from '../../jobs/index.ts';
import { type Context, noReactions, silentLogger } from '../../context.ts';
import type { AccessReviewReportFormatJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { newId } from '../../wire/ids.ts';
import { openReport } from './download-report.ts';
import { autoReportKind, jobKinds } from './index.ts';
import { reportColumns } from './items/columns.ts';
import { listReviewReports, requestReport } from './request-report.ts';
import { signLink } from './links/index.ts';
import type { ReportRow } from './store.ts';

const csv = { format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV', columns: [] } as const;
const xlsx = { format: 'ACCESS_REVIEW_REPORT_FORMAT_XLSX', columns: [] } as const;
const json = { format: 'ACCESS_REVIEW_REPORT_FORMAT_UNSPECIFIED', columns: [] } as const;

let test: TwoTenants;
let runner: Runner;
let reviewId: string;
let admin: Context;

beforeAll(async () => {
  test = await useTwoTenants();
  admin = { ...test.ours.admin, now: new Date() };
  reviewId = await addTasksOf(admin.db, admin.tenantId, { createdById: test.ours.adminId });
  runner = createRunner({
    database: test.database,
    handlers: jobKinds,
    log: silentLogger,
    react: noReactions,
    pollMs: 20,
    clock: () => new Date(),
  });
  runner.start();
});

afterAll(async () => {
  await runner.drain();
  await test.close();
});

/** The report once it is done. */
async function finish(context: Context, review: string, id: string): Promise<ReportRow> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    const report = (await listReviewReports(context, review, undefined, 100)).find((one) => one.id === id);
    if (report !== undefined && report.state !== 'PENDING') {
      return report;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the report is not done');
}

function linkParts(id: string, now: Date, secret: Buffer = test.ours.tenant.secret) {
  const url = new URL(signLink(secret, 'http://x', id, now));
  return { reportId: id, expires: url.searchParams.get('expires') ?? '', signature: url.searchParams.get('signature') ?? '' };
}

async function readFile(
  context: Context,
  id: string,
): Promise<{ text: string; bytes: Buffer; sha256: string; md5: string; fileName: string; contentType: string }> {
  const file = await openReport(context, test.ours.tenant.secret, linkParts(id, context.now));
  const pieces: Buffer[] = [];
  for await (const piece of file.content) {
    pieces.push(piece);
  }
  const all = Buffer.concat(pieces);
  const hash = (name: string): string => createHash(name).update(all).digest('hex');
  expect(all.length).toBe(file.sizeBytes);
  return {
    text: all.toString('utf8'),
    bytes: all,
    sha256: hash('sha256'),
    md5: hash('md5'),
    fileName: file.fileName,
    contentType: file.contentType,
  };
}

async function addAction(taskId: string, kind: string, actorId: string, more: { issuerId?: string; comment?: string } = {}): Promise<void> {
  await admin.db.run(
    `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, issuer_id, comment, created_at)
     VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7, $8, $9)`,
    [admin.tenantId, taskId, newId(new Date()), reviewId, kind, actorId, more.issuerId ?? '', more.comment ?? '', new Date()],
  );
}

describe('a report', () => {
  it('says of each item who was asked, who decided what through whose credential, and why it ended without', async () => {
    const { basicId, adminId } = test.ours;
    const assignmentId = await addAssignment(admin.db, admin.tenantId, reviewId, [basicId]);
    const decided = await addTask(admin.db, admin.tenantId, {
      reviewId: reviewId,
      assignmentId,
      accountName: '=danger',
      state: 'CLOSED',
      outcome: 'DECERTIFIED',
      endReason: 'DECIDED',
      decidedById: basicId,
    });
    await addAction(decided, 'DENIED', basicId, { issuerId: adminId, comment: 'left, "long" ago' });
    await addTask(admin.db, admin.tenantId, {
      reviewId: reviewId,
      assignmentId,
      state: 'CLOSED',
      outcome: 'CANCELLED',
      endReason: 'SKIPPED_AT_CLOSE',
    });
    await addTask(admin.db, admin.tenantId, { reviewId: reviewId });
    // The other tenant has a review of the same id: its tasks must not show.
    const their = test.theirs.admin;
    await their.db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
       VALUES ($1, $2, $3, 1, 'a', 'e', 'c', 'p', $4, $4)`,
      [their.tenantId, newId(new Date()), reviewId, new Date()],
    );

    const report = await finish(admin, reviewId, await requestReport(admin, reviewId, csv));
    expect(report).toMatchObject({ state: 'OK', format: 'CSV', createdById: adminId });
    const file = await readFile(admin, report.id);
    expect(report.hashes).toEqual({ MD5: file.md5, SHA256: file.sha256 });
    expect(file.contentType).toBe('text/csv; charset=utf-8');
    const day = report.createdAt.toISOString().slice(0, 10);
    // It has no name yet.
    expect(file.fileName).toBe(`review-${reviewId}-${day}.csv`);
    for (const [name, shown] of [
      ['Zugänge / Q3: "SAP" <x>', 'Zugänge-Q3-SAP-x'],
      ['../..\\', `review-${reviewId}`],
      ['東京 2026', '東京-2026'],
    ] as const) {
      await admin.db.run(
        `UPDATE reviews SET document = document || jsonb_build_object('displayName', $3::text) WHERE tenant_id = $1 AND id = $2`,
        [admin.tenantId, reviewId, name],
      );
      expect((await readFile(admin, report.id)).fileName, name).toBe(`${shown}-${day}.csv`);
    }
    const rows = parse<Record<string, string>>(file.text, { bom: true, columns: true });
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      Account: "'=danger",
      'Certification policy': 'Policy',
      'Assigned to': 'Ben Basic <basic@ours.example>',
      Certifiers: 'Ben Basic <basic@ours.example> (credential issued by Ada Admin <admin@ours.example>)',
      Decisions: 'Denied',
    });
    expect(rows[0]?.['Comments']).toContain('left, "long" ago');
    expect(rows[0]?.['Resolved on']).not.toBe('');
    expect(rows[1]?.['Decisions']).toBe('Nobody had decided when the review was closed: skipped.');
    expect(rows[2]).toMatchObject({ Decisions: 'Open', 'Assigned to': '', 'Resolved on': '' });

    const asJson = await finish(admin, reviewId, await requestReport(admin, reviewId, json));
    const objects = JSON.parse((await readFile(admin, asJson.id)).text) as Record<string, unknown>[];
    expect(objects[0]).toMatchObject({
      taskId: decided,
      outcome: 'DECERTIFIED',
      endReason: 'DECIDED',
      account: '=danger',
      decisions: [{ decision: 'DENIED', by: { id: basicId }, issuedBy: { id: adminId } }],
    });
    expect(objects[1]).toMatchObject({ outcome: 'CANCELLED', endReason: 'SKIPPED_AT_CLOSE', decisions: [], certifiers: [] });
  });

  it('has the chosen columns in the chosen order', async () => {
    const columns = ['ACCESS_REVIEW_REPORT_COLUMN_DEPARTMENT', 'ACCESS_REVIEW_REPORT_COLUMN_TASK', 'ACCESS_REVIEW_REPORT_COLUMN_TASK'];
    const report = await finish(admin, reviewId, await requestReport(admin, reviewId, { ...csv, columns }));
    expect((await readFile(admin, report.id)).text.split('\r\n')[0]).toBe('\ufeffDepartment,Task');
  });

  it('has employee id and employment type as the snapshot has them: of their own, else of their profile', async () => {
    const batch = await addTasksOf(admin.db, admin.tenantId);
    const add = async (name: string, employeeId: string, employmentType: string, profile: object): Promise<void> => {
      const id = newId(new Date());
      await admin.db.run(
        `INSERT INTO users (tenant_id, id, email, email_key, employee_id, employment_type, profile, created_at, updated_at)
         VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $7)`,
        [admin.tenantId, id, `${name}@report.example`, employeeId, employmentType, JSON.stringify(profile), admin.now],
      );
      const taskId = await addTask(admin.db, admin.tenantId, { reviewId: batch });
      await admin.db.run('UPDATE tasks SET user_id = $3 WHERE tenant_id = $1 AND id = $2', [admin.tenantId, taskId, id]);
      await admin.db.run(
        `INSERT INTO review_people (tenant_id, review_id, user_id, email, department, status, display_name, username, employee_id, user_type,
           employment_status, employment_type, job_title, manager_email, profile)
         SELECT tenant_id, $3, id, email, '', status, '', '', employee_id, user_type, '', employment_type, '', '', profile
         FROM users WHERE tenant_id = $1 AND id = $2`,
        [admin.tenantId, id, batch],
      );
      await admin.db.run(
        `UPDATE users SET employee_id = 'later', employment_type = 'later', profile = '{}' WHERE tenant_id = $1 AND id = $2`,
        [admin.tenantId, id],
      );
    };
    await add('own', 'E-1', 'Contractor', { employee_id: 'old', employment_type: 'old' });
    await add('profile', '', '', { employee_id: 'P-2', employment_type: 'Intern' });
    const columns = ['ACCESS_REVIEW_REPORT_COLUMN_EMPLOYEE_ID', 'ACCESS_REVIEW_REPORT_COLUMN_EMPLOYMENT_TYPE'];
    const report = await finish(admin, batch, await requestReport(admin, batch, { ...csv, columns }));
    expect((await readFile(admin, report.id)).text.trim().split('\r\n')).toEqual([
      'Employee id,Employment type',
      'E-1,Contractor',
      'P-2,Intern',
    ]);
  });

  it('has every item once, in the order of the tasks, over many pieces', async () => {
    const big = await addTasksOf(admin.db, admin.tenantId);
    const count = 12_345;
    await admin.db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
       SELECT $1, $2 || id_suffix(n), $3, n, 'app', 'e' || n, 'acc', 'policy', $4, $4 FROM generate_series(1, $5::bigint) n`,
      [admin.tenantId, newId(new Date()).slice(0, 19), big, new Date(), count],
    );
    for (const request of [csv, json]) {
      const report = await finish(admin, big, await requestReport(admin, big, request));
      const { text } = await readFile(admin, report.id);
      const numbers =
        request === csv
          ? parse<Record<string, string>>(text, { bom: true, columns: true }).map((row) => Number(row['Task']))
          : (JSON.parse(text) as { task: number }[]).map((row) => row.task);
      expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    }
  });

  it.each([
    ['DRAFT', false],
    ['PREPARING', false],
    ['REVIEW', true],
    ['PENDING', true],
    ['STARTING', true],
    ['OPEN', true],
    ['CLOSED', true],
  ])('of a review in %s can be made: %s', async (state, possible) => {
    const review = await addTasksOf(admin.db, admin.tenantId);
    await admin.db.run('UPDATE reviews SET state = $3 WHERE tenant_id = $1 AND id = $2', [admin.tenantId, review, state]);
    const asked = requestReport(admin, review, json);
    if (possible) {
      const report = await finish(admin, review, await asked);
      expect(JSON.parse((await readFile(admin, report.id)).text)).toEqual([]);
    } else {
      await expect(asked).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining(state) });
    }
  });

  it('as XLSX has a sheet of figures and one of decisions, whose cells are numbers, times and texts', async () => {
    const report = await finish(admin, reviewId, await requestReport(admin, reviewId, xlsx));
    expect(report).toMatchObject({ state: 'OK', format: 'XLSX' });
    const file = await readFile(admin, report.id);
    expect(report.hashes).toEqual({ MD5: file.md5, SHA256: file.sha256 });
    expect(file.fileName).toMatch(/\.xlsx$/);
    expect(file.contentType).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const summary = await readXlsx(file.bytes, 'Summary');
    expect(summary.sheets).toEqual([
      'Summary',
      'Decisions 1',
      'Reviewers',
      'Sources',
      'Revocations 1',
      'Exclusions 1',
      'After the snapshot 1',
      'Signatures 1',
    ]);
    expect(summary.rows).toContainEqual(['Items', '3']);
    const { rows } = await readXlsx(file.bytes, 'Decisions 1');
    const cells = rows.slice(1).map((row) => Object.fromEntries(row.map((cell, index) => [rows[0]?.[index], cell])));
    expect(cells).toHaveLength(3);
    expect(cells[0]).toMatchObject({ Account: '=danger', Outcome: 'Revoked' });
    expect(cells[0]?.['Decisions']).toMatch(
      /^\d{4}-\d\d-\d\dT\S+Z Denied by Ben Basic <basic@ours.example> \(step 1, credential issued by Ada Admin <admin@ours.example>\): left, "long" ago$/,
    );
    expect(cells[0]?.['Resolved on']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe('who may have a report', () => {
  const as = (userId: string, roles: Parameters<typeof actorOf>[1] = []): Context => ({ ...admin, actor: actorOf(userId, roles) });
  const makeReview = async (ownerId?: string): Promise<string> => {
    const review = await addTasksOf(admin.db, admin.tenantId, { createdById: test.ours.basicId });
    if (ownerId !== undefined) {
      await admin.db.run('INSERT INTO review_owners (tenant_id, review_id, user_id, created_at) VALUES ($1, $2, $3, $4)', [
        admin.tenantId,
        review,
        ownerId,
        new Date(),
      ]);
    }
    return review;
  };

  it('owners, Super Administrators and Read-Only Administrators', async () => {
    const { basicId } = test.ours;
    const review = await makeReview(basicId);
    for (const context of [as(basicId), as('x', ['SUPER_ADMINISTRATOR']), as('x', ['READ_ONLY_ADMINISTRATOR'])]) {
      await requestReport(context, review, json);
      await expect(listReviewReports(context, review, undefined, 10)).resolves.not.toHaveLength(0);
    }
  });
  it('Read-Only Administrators have every format, with every column', async () => {
    const auditor = as('x', ['READ_ONLY_ADMINISTRATOR']);
    const review = await makeReview();
    const columns = reportColumns.map(({ name }) => name);
    for (const format of ['CSV', 'JSON', 'XLSX', 'PDF']) {
      const id = await requestReport(auditor, review, {
        format: `ACCESS_REVIEW_REPORT_FORMAT_${format}` as AccessReviewReportFormatJson,
        columns,
      });
      expect(await finish(auditor, review, id)).toMatchObject({ format, state: 'OK' });
      expect((await readFile(auditor, id)).fileName).toContain(`.${format.toLowerCase()}`);
    }
  });
  it('not whoever only created the review, nor anybody else, nor another tenant', async () => {
    const { basicId } = test.ours;
    const review = await makeReview();
    await expect(requestReport(as(basicId, ['CAMPAIGN_ADMINISTRATOR']), review, json)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(requestReport(as(basicId), review, json)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(requestReport(test.theirs.admin, review, json)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(listReviewReports(test.theirs.admin, review, undefined, 10)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a download', () => {
  it('needs a link that is ours, in time, and of a report that is there', async () => {
    const report = await finish(admin, reviewId, await requestReport(admin, reviewId, json));
    const late = { ...admin, now: new Date(admin.now.getTime() + 901_000) };
    const { secret } = test.ours.tenant;
    await expect(openReport(late, secret, linkParts(report.id, admin.now))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(openReport(admin, secret, { ...linkParts(report.id, admin.now), signature: 'x' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const unknown = newId(new Date());
    await expect(openReport(admin, secret, linkParts(unknown, admin.now))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { secret: theirSecret } = test.theirs.tenant;
    await expect(openReport({ ...test.theirs.admin, now: admin.now }, theirSecret, linkParts(report.id, admin.now))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(
      openReport({ ...test.theirs.admin, now: admin.now }, theirSecret, linkParts(report.id, admin.now, theirSecret)),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a review that wants its report by itself', () => {
  it('gets one when it is closed, and only one', async () => {
    const review = await addTasksOf(admin.db, admin.tenantId);
    const setState = (state: string) =>
      admin.db.run(
        `UPDATE reviews SET state = $3, document = '{"autoGenerateReport": true}', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [admin.tenantId, review, state],
      );
    const call = () =>
      admin.db.transaction((db) =>
        callJobs(db, [{ tenantId: admin.tenantId, kind: autoReportKind, subjectId: review, runAt: new Date() }]),
      );
    const left = async () =>
      (
        await test.admin(
          `SELECT FROM jobs WHERE kind = '${autoReportKind}' AND subject_id = '${review}' AND state IN ('CALLED', 'WAITING')`,
        )
      ).length;
    await setState('OPEN');
    await call();
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
    expect(await listReviewReports(admin, review, undefined, 10)).toEqual([]);
    await setState('CLOSED');
    for (let time = 0; time < 2; time++) {
      await call();
      await expect.poll(left, { timeout: 60_000 }).toBe(0);
      expect(await listReviewReports(admin, review, undefined, 10)).toMatchObject([{ format: 'CSV', createdById: '' }]);
    }
  });
});
