/**
 * Files that leave by the doors that people use, over names and comments that tear rows: another reader of CSV finds the rows and cells that went in, and an
 * import refuses each file by its name.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defuseFormulas } from '../../src/lib/tables/formulas.ts';
import { showAlone } from '../../src/lib/names/visible-text.ts';
import type { Loose } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf, sendFile } from '../support/world.ts';

const texts = [
  'x\n=cmd|"/C calc"!A0',
  'a\r\nb;c,d\te',
  '"quoted" and "',
  '+1;-2',
  '\ufeff@mark',
  'line\u2028=1\u0085=2',
  '\u3164',
  "'=kept",
  'plain',
];
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const bare = (text: string): string => text.replaceAll("'", '');
const written = (text: string): string => defuseFormulas(showAlone(text));

describe('files that leave', () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), 'own-exports-'));
  const files = new Map<string, string | Buffer>();

  const rowsOf = (name: string): Loose[] => parse(files.get(name) ?? '', { columns: true, bom: true }) as unknown as Loose[];

  beforeAll(async () => {
    server = await useTestServer();
    const admin = adminOf(server);
    const grants = ['account,resource,entitlement', ...texts.map((text, at) => `a${at},Hall,${quoted(text)}`)].join('\n');
    const { body } = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Hall', grants);
    expect(body.message).toBeUndefined();
    const { appId } = body.import;
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const reviewId: string = JSON.parse(await run('review', 'create', '--name', 'Spring', '--app', 'Hall', '--json')).id;
    await run('review', 'prepare', reviewId);
    await run('review', 'start', reviewId);
    const { list } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
    const account = (task: unknown): number => Number(/"a(\d)"/.exec(JSON.stringify(task))?.[1]);
    const decisions = list.map(({ task }: Loose) => ({
      taskId: task.id,
      decision: 'REVIEW_DECISION_DENY',
      comment: `${texts[account(task)]}.`,
    }));
    await admin('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions });
    await run('review', 'close', reviewId, '--decision', 'revoke', '--yes');
    await until(async () => expect(JSON.parse(await run('revocation', 'list', '--json'))).toHaveLength(texts.length));
    for (const format of ['csv', 'json'] as const) {
      files.set(`report.${format}`, await run('review', 'report', reviewId, '--format', format, '--output', '-'));
    }
    const book = join(folder, 'report.xlsx');
    await run('review', 'report', reviewId, '--format', 'xlsx', '--output', book);
    files.set('report.xlsx', readFileSync(book));
    files.set('grants', await run('grant', 'list', '--app', appId, '--csv'));
    files.set('removals', await run('revocation', 'export'));
    files.set('figures', await run('review', 'figures', reviewId, '--csv'));
    files.set('sample', await run('review', 'sample', reviewId, '--size', '3', '--seed', 'spring', '--csv'));
    files.set('gaps', await run('coverage', 'gaps', '--app', appId, '--csv'));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('have a row for each item, with what was said of it in one cell', () => {
    const rows = rowsOf('report.csv');
    const items = JSON.parse(String(files.get('report.json'))) as Loose[];
    expect(rows).toHaveLength(texts.length);
    expect(rows.map((row) => row['Task'])).toEqual(items.map(({ task }) => String(task)));
    expect(rows.map((row) => row['Entitlement'])).toEqual(items.map(({ entitlement }) => written(entitlement)));
    for (const { Account, Comments } of rows) {
      // Where a formula would begin there is an apostrophe more.
      expect(bare(Comments)).toContain(bare(`${texts[Number(Account.slice(1))]}.`));
    }
  });

  it('have a row for each grant and each removal, on the command line too', () => {
    const held = rowsOf('grants').filter(({ entitlement }) => entitlement !== 'App access');
    expect(held.map(({ account }) => account).sort()).toEqual(texts.map((_, at) => `a${at}`));
    const removals = rowsOf('removals');
    expect(removals).toHaveLength(texts.length);
    for (const { account, entitlement, reason } of removals) {
      const text = texts[Number(account.slice(1))] ?? '';
      expect(bare(entitlement)).toContain(bare(text.trim()));
      expect(reason).toBe(written(`${text}.`));
    }
  });

  it.each([
    ['report.csv', 'a report of a review'],
    ['grants', 'a list of grants'],
    ['removals', 'a list of removals'],
    ['figures', 'figures of reviewers'],
    ['sample', 'a sample of a review'],
    ['gaps', 'days without a review'],
  ])('are refused by name as grants and as people: %s', async (name, what) => {
    for (const path of ['/api/v1/imports/grants?app=Again', '/api/v1/imports/people?source=again']) {
      const { status, body } = await sendFile(server, server.admin, path, files.get(name) ?? '');
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`this file is ${what}`)]);
    }
  });

  it.each(['', 'Summary', 'Decisions 1', 'Reviewers', 'Sources', 'Revocations 1', 'Exclusions 1', 'Signatures 1'])(
    'are refused by name, whichever sheet of a report is asked for: %s',
    async (sheet) => {
      const path = `/api/v1/imports/grants?app=Again&sheet=${encodeURIComponent(sheet)}`;
      const { status, body } = await sendFile(server, server.admin, path, files.get('report.xlsx') ?? '');
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('this file is a report of a review')]);
    },
  );

  it('are said to be what they are before an import, and nothing is proposed for them', async () => {
    const path = '/api/v1/imports/columns?kind=grants';
    const { status, body } = await sendFile(server, server.admin, path, files.get('report.csv') ?? '');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('this file is a report of a review');
    expect(body.suggestions ?? []).toEqual([]);
  });

  it('are refused for each of their apps, too, and read where somebody says what their columns are', async () => {
    const apart = await sendFile(server, server.admin, '/api/v1/imports/grants?split_by_app=true', files.get('report.csv') ?? '');
    expect(JSON.stringify(apart.body)).toContain('this file is a report of a review');
    const asked = '/api/v1/imports/grants?app=Again&map=account%3DAccount&map=entitlement%3DEntitlement';
    expect((await sendFile(server, server.admin, asked, files.get('report.csv') ?? '')).status).toBe(200);
  });
});
