/**
 * Files that come in and reports that go out: bombs, broken files, all or nothing, formulas, links that were tampered with or are over.
 * What a file means is tested in src/inventory/syncs, what stands in a report in src/outward/reports.
 */
import { readXlsx } from '../support/read-xlsx.ts';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import type { ServedTenant, TestServer } from '../support/server.ts';
import { sendFile, type World, worldGrants, worldPeople } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const grantsHeader = worldGrants.split('\n')[0] ?? '';
const people = '/api/v1/imports/people';
const grants = '/api/v1/imports/grants?app=World';

describe('hostile files', () => {
  let server: TestServer;
  let other: ServedTenant;
  let world: World;

  const upload = (path: string, file: string | Buffer, encoding?: string): Promise<Answer> =>
    sendFile(server, server.admin, path, file, encoding);
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const counts = async (): Promise<string> => {
    const { db } = server.system();
    const { text } = await db.one<{ text: string }>(
      `SELECT concat_ws(' ', (SELECT count(*) FROM users WHERE tenant_id = $1 AND status = 'ENABLED'), (SELECT count(*) FROM accounts WHERE tenant_id = $1),
         (SELECT count(*) FROM grants WHERE tenant_id = $1 AND ended_at IS NULL), (SELECT count(*) FROM inventory_revisions WHERE tenant_id = $1),
         (SELECT count(*) FROM syncs WHERE tenant_id = $1 AND state = 'DONE')) AS text`,
      [server.id],
    );
    return text;
  };
  /** Lists what is written down of refused files. */
  const listRefusals = (): Promise<Loose[]> =>
    server
      .system()
      .db.rows(
        `SELECT error, rejected::int, added::int, changed::int, removed::int, revision FROM syncs WHERE tenant_id = $1 AND state = 'FAILED' ORDER BY id`,
        [server.id],
      );

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    other = await server.makeTenant('other.example');
    world = made.world;
  });
  afterAll(() => server.stop());

  const line = 'b1,p01@world.example,USER,ENABLED,role,R00,e00,2025-01-01T00:00:00Z,';
  it.each<[name: string, path: string, file: string | Buffer, encoding?: string]>([
    ['nothing at all', grants, ''],
    ['a header alone', grants, `${grantsHeader}\n`],
    ['another header', people, grantsHeader],
    ['invalid UTF-8', grants, Buffer.from(`${worldGrants}\nb\xff,,,,,,,,`, 'latin1')],
    ['UTF-16 that is cut in the middle of a character', grants, Buffer.from(`\ufeff${worldGrants}\nb1`, 'utf16le').subarray(0, -1)],
    ['a NUL', grants, `${worldGrants}\nb\0,p01@world.example,USER,ENABLED,role,R00,e00,,`],
    ['an open quote', grants, `${worldGrants}\n"b1,p01@world.example,USER`],
    ['a row over 64 KiB', grants, `${worldGrants}\n${'x'.repeat(70_000)},p01@world.example,USER,ENABLED,role,R00,e00,,`],
    ['a quoted field that never ends', grants, `${worldGrants}\n"${'x\n'.repeat(60_000)}`],
    ['a gzip that is cut', grants, gzipSync(worldGrants).subarray(0, 200), 'gzip'],
    ['a gzip that is none', grants, 'not gzip', 'gzip'],
    ['a gzip that expands over 100 times', grants, gzipSync(`${worldGrants}\n${`${line}\n`.repeat(200_000)}`), 'gzip'],
    ['a gzip of spaces', people, gzipSync(Buffer.alloc(50_000_000, 32)), 'gzip'],
    ['an unknown coding', grants, worldGrants, 'br'],
    ['one bad row at the end', grants, `${worldGrants}\nb1,p01@world.example,USER,NONSENSE,role,R00,e00,,`],
    ['too few fields', grants, `${worldGrants}\nb1,p01@world.example`],
    ['too many fields', grants, `${worldGrants}\n${line},x,y,z`],
    ['one account of two owners', grants, `${worldGrants}\na00,p05@world.example,USER,ENABLED,role,R00,e01,,`],
    ['a date that is none', grants, `${worldGrants}\nb1,p01@world.example,USER,ENABLED,role,R00,e00,yesterday,`],
    ['a person twice', people, `${worldPeople}\np05@world.example,Other,,,,ACTIVE\nP05@World.example,Third,,,,ACTIVE`],
    ['a mail address that is none', people, `${worldPeople}\nnobody,Nobody,,,,ACTIVE`],
    ['more removals than 20 %', people, worldPeople.split('\n').slice(0, 10).join('\n')],
    ['more ended grants than 20 %', grants, worldGrants.split('\n').slice(0, 10).join('\n')],
  ])('%s is refused with a reason, and nothing changes', async (_name, path, file, encoding) => {
    const before = await counts();
    const refusals = await listRefusals();
    const answer = await upload(path, file, encoding);
    expect([400, 413, 415]).toContain(answer.status);
    expect(answer.body.message.length).toBeGreaterThan(15);
    expect(JSON.stringify(answer.body).length).toBeLessThan(60_000);
    expect(await counts()).toBe(before);
    // It is a sync that failed, with the reason the client was given.
    const added = (await listRefusals()).slice(refusals.length);
    expect(added.map(({ error }) => error)).toEqual([answer.body.message]);
    for (const one of added) {
      expect(one).toMatchObject({ added: 0, changed: 0, removed: 0, revision: null });
    }
  });

  it('a large file that breaks, after it began as the one before or otherwise, leaves the server as it was', async () => {
    expect(worldGrants.length).toBeGreaterThan(4096);
    const large = [`Login,Role\n${'somebody,reader\n'.repeat(60_000)}`, `${worldGrants}\n"a"b\n${`${line}\n`.repeat(60_000)}`];
    const answers = await Promise.all([...large, ...large].map((file) => upload(grants, file)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect((await upload(grants, worldGrants)).status).toBe(200);
  });

  it('tells 100 errors of a thousand, with line, column and the count', async () => {
    const bad = Array.from({ length: 1_000 }, (_, n) => `b${n},p01@world.example,USER,NONSENSE,role,R00,e00,,`);
    const answer = await upload(grants, `${grantsHeader}\n${bad.join('\n')}`);
    expect(answer.status).toBe(400);
    expect(violatedFields(answer)).toHaveLength(100);
    expect(JSON.stringify(answer.body)).toContain('account_status');
    expect(answer.body.message).toMatch(/1,?000/);
  });

  it('the same file twice changes nothing; BOM, CRLF, quotes and gzip are the same file', async () => {
    const before = await counts();
    const quoted = worldGrants
      .split('\n')
      .map((row) =>
        row
          .split(',')
          .map((cell) => `"${cell}"`)
          .join(','),
      )
      .join('\r\n');
    for (const [file, encoding] of [[worldGrants], [`\ufeff${quoted}\r\n`], [gzipSync(worldGrants), 'gzip']] as const) {
      const { status, body } = await upload(grants, file, encoding);
      expect([status, body.import.added, body.import.changed, body.import.removed]).toEqual([200, '0', '0', '0']);
    }
    const now = await counts();
    expect(now.split(' ').slice(0, 3)).toEqual(before.split(' ').slice(0, 3));
  });

  it('removals go through where they are allowed, and come back with history', async () => {
    const fewer = worldGrants.split('\n').slice(0, 10).join('\n');
    const { body } = await upload(`${grants}&allow_removals=true`, fewer);
    expect(body.import).toMatchObject({ removed: '67' });
    expect((await upload(grants, worldGrants)).body.import).toMatchObject({ added: '67', removed: '0' });
    const path = `/api/v1/apps/${world.appId}/entitlements/${world.entitlementId}/grants?page_size=100`;
    const list: Loose[] = (await admin('GET', path)).body.list;
    expect(list.filter(({ expired }) => expired !== undefined).length).toBeGreaterThan(20);
  });

  describe('a report', () => {
    let reviewId: string;
    const formulas = ['=cmd|calc', '+1+1', '-2+3', '@SUM(A1)', '=HYPERLINK("http://evil.example","x")', '\t=1', 'quote " comma , line'];
    const make = async (format: string): Promise<Loose> => {
      expect(
        (await admin('POST', `/api/v1/access_review/${reviewId}/report`, { format: `ACCESS_REVIEW_REPORT_FORMAT_${format}` })).status,
      ).toBe(200);
      for (let attempt = 0; attempt < 1200; attempt++) {
        const { list } = (await admin('GET', `/api/v1/access_review/${reviewId}/report`)).body;
        const found = list
          .map((view: Loose) => view.report ?? view.accessReviewReport ?? view)
          .find((one: Loose) => JSON.stringify(one).includes(format) && one.downloadUrl);
        if (found !== undefined) {
          return found;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no report: ${JSON.stringify((await admin('GET', `/api/v1/access_review/${reviewId}/report`)).body)}`);
    };

    beforeAll(async () => {
      const rows = formulas.map((text, n) => {
        const cell = `"${text.replaceAll('"', '""')}"`;
        return `${cell},p${String(n).padStart(2, '0')}@world.example,USER,ENABLED,role,${cell},${cell},,`;
      });
      expect((await upload('/api/v1/imports/grants?app=%3DFormulas', `${grantsHeader}\n${rows.join('\n')}`)).status).toBe(200);
      const { list } = (await admin('POST', '/api/v1/search/apps', { query: '=Formulas' })).body;
      const made = await admin('POST', '/api/v1/access_review', { displayName: '=1+1' });
      reviewId = made.body.accessReview.accessReview.id;
      await admin('POST', `/api/v1/access_review/${reviewId}`, { accessReview: { singleApp: { appId: list[0].id } } });
      for (const [action, state] of [
        ['prepare', 'REVIEW'],
        ['start', 'OPEN'],
      ] as const) {
        await admin('POST', `/api/v1/access_review/${reviewId}/action/${action}`, {});
        await world.until(reviewId, state);
      }
      const tasks: Loose[] = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId] })).body.list;
      const decided = await admin('POST', `/api/v1/tasks/${tasks[0].task.id}/action/deny`, { comment: '=2+5+cmd|calc' });
      expect([200, 403]).toContain(decided.status);
    });

    it('as CSV begins no cell with what a spreadsheet would run', async () => {
      const { downloadUrl } = await make('CSV');
      const response = await fetch(downloadUrl);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const text = await response.text();
      const cells = [...text.matchAll(/(?:^|,|\r\n)("(?:[^"]|"")*"|[^,\r\n]*)/g)].map((match) => (match[1] ?? '').replace(/^"|"$/g, ''));
      expect(cells.length).toBeGreaterThan(100);
      expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
      for (const formula of formulas.slice(0, 4)) {
        expect(text).toContain(`'${formula}`);
      }
    });

    it('as JSON holds everything as it is, under the hash it says', async () => {
      const report = await make('JSON');
      const response = await fetch(report.downloadUrl);
      const bytes = Buffer.from(await response.arrayBuffer());
      for (const formula of formulas) {
        expect(bytes.toString()).toContain(JSON.stringify(formula).slice(1, -1));
      }
      expect(JSON.stringify(report.hashes)).toContain(createHash('sha256').update(bytes).digest('hex'));
      expect(response.headers.get('repr-digest')).toContain(createHash('sha256').update(bytes).digest('base64'));
      JSON.parse(bytes.toString());
    });

    it('is given to nobody whose link was tampered with, is over, or belongs elsewhere', async () => {
      const { downloadUrl } = await make('JSON');
      const url = new URL(downloadUrl);
      const variant = (change: (copy: URL) => void): string => {
        const copy = new URL(url);
        change(copy);
        return copy.href;
      };
      const expires = Number(url.searchParams.get('expires'));
      expect(expires * 1000 - Date.now()).toBeLessThanOrEqual(900_000);
      const signature = url.searchParams.get('signature') ?? '';
      const later = variant((copy) => copy.searchParams.set('expires', String(expires + 1)));
      const longer = variant((copy) => copy.searchParams.set('expires', `${expires}0`));
      const past = variant((copy) => copy.searchParams.set('expires', '1'));
      const none = variant((copy) => copy.searchParams.delete('signature'));
      const cut = variant((copy) => copy.searchParams.set('signature', signature.slice(0, -2)));
      const turned = variant((copy) => copy.searchParams.set('signature', `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`));
      const zero = variant((copy) => copy.searchParams.set('expires', '9e99'));
      const another = variant((copy) => {
        copy.pathname = `/reports/${'0'.repeat(27)}`;
      });
      for (const link of [later, longer, past, none, cut, turned, zero, another]) {
        expect([link, (await fetch(link)).status]).toEqual([link, 403]);
      }
      expect((await fetchAsHost(other.host)(url.href)).status).toBe(403);
      expect((await fetch(url.href)).status).toBe(200);
      expect((await fetch(url.href, { method: 'DELETE' })).status).toBe(405);
    });

    it('as XLSX has every text as it is, and no cell that a spreadsheet runs', async () => {
      const bytes = Buffer.from(await (await fetch((await make('XLSX')).downloadUrl)).arrayBuffer());
      const { rows } = await readXlsx(bytes, 'Decisions 1');
      const accounts = rows.slice(1).map((row) => row[rows[0]?.indexOf('Account') ?? -1]);
      expect([...accounts].sort()).toEqual([...formulas].sort());
      expect((await readXlsx(bytes, 'Summary')).rows).toContainEqual(['Access review', '=1+1']);
    });
  });
});
