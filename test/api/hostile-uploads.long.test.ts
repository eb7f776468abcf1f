/**
 * Uploads that are made to hurt: Excel files that are bombs, bodies that stall or break off, many large ones at once. Each is refused in time
 * or waits for its turn, leaves no temporary file, and holds nobody else up. What a bad row is, is in hostile-files.test.ts.
 */
import { readdir, readlink } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { workbookParts, writeXlsx, writeZip } from '../support/xlsx.ts';
import { sendFile } from '../support/world.ts';

const header = [
  'account',
  'email',
  'account_type',
  'account_status',
  'resource_type',
  'resource',
  'entitlement',
  'granted_at',
  'last_used_at',
];
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const row = (n: number): string[] => [`a${n}`, '', 'USER', 'ENABLED', 'role', 'r', 'e', '', ''];
const good = workbookParts({ sheets: [{ name: 'a', rows: [header, row(1)] }] });
const sheetPath = Object.keys(good).find((name) => name.includes('worksheets/sheet')) ?? '';
const zipOf = (parts: Record<string, string | Buffer>): Buffer =>
  writeZip(Object.entries({ ...good, ...parts }).map(([name, content]) => ({ name, content })));
const sheetXml = (inside: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${inside}</sheetData></worksheet>`;
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${upTo(9)
  .map((n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`)
  .join('')}]>`;
const cell = (text: string): string => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;

describe('uploads that are made to hurt', () => {
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    server = await startTestServer({ config: { poolSize: 6 } });
    token = await server.admin.client.token();
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=Files', [header, row(1)].map(String).join('\n'))).status).toBe(
      200,
    );
  });
  afterAll(() => server.stop());

  /** Temporary files of uploads that this process has open; where the system does not show them, those with a name. */
  async function countSpools(): Promise<number> {
    const open = await readdir('/proc/self/fd').catch(() => []);
    const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return targets.filter((target) => target.includes('countersign-import-')).length;
  }
  afterEach(async () => {
    await expect.poll(countSpools, { timeout: 60_000 }).toBe(0);
  });

  const upload = (file: string | Buffer, encoding?: string, app = 'Files'): Promise<Answer> =>
    sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}&allow_removals=true`, file, encoding);
  const isServed = async (): Promise<void> => {
    const begun = performance.now();
    expect((await request(server, server.admin, 'GET', '/api/v1/apps')).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(5000);
  };

  it.each<[name: string, file: () => Buffer, encoding?: string]>([
    ['a sheet that expands a thousand times', () => zipOf({ [sheetPath]: sheetXml(`<row/>`.repeat(8_000_000)) })],
    ['texts that expand a thousand times', () => zipOf({ 'xl/sharedStrings.xml': `<sst>${'<si><t/></si>'.repeat(4_000_000)}</sst>` })],
    ['a part nobody reads that expands a thousand times', () => zipOf({ 'xl/media/image1.png': Buffer.alloc(60_000_000) })],
    ['twelve thousand parts', () => zipOf(Object.fromEntries(upTo(12_000).map((n) => [`xl/media/${n}.png`, 'x'])))],
    ['entities within entities', () => zipOf({ [sheetPath]: sheetXml(cell('&j;'), laughs) })],
    [
      'an entity that is a file',
      () => zipOf({ [sheetPath]: sheetXml(cell('&f;'), '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>') }),
    ],
    ['elements a hundred thousand deep', () => zipOf({ [sheetPath]: sheetXml(`${'<row>'.repeat(100_000)}${'</row>'.repeat(100_000)}`) })],
    ['a cell in a column far away', () => zipOf({ [sheetPath]: sheetXml('<row r="1"><c r="ZZZZZZZZ1"><v>1</v></c></row>') })],
    [
      'a row far away',
      () => zipOf({ [sheetPath]: sheetXml(`${cell('account')}<row r="999999999999"><c r="A999999999999"><v>1</v></c></row>`) }),
    ],
    ['a text of a megabyte', () => zipOf({ [sheetPath]: sheetXml(cell('x'.repeat(1_000_000))) })],
    ['a sheet that never ends its tag', () => zipOf({ [sheetPath]: `<worksheet><sheetData><row ${'a'.repeat(5_000_000)}` })],
    [
      'a directory that points at itself',
      () => zipOf({ 'xl/workbook.xml': good['xl/workbook.xml'] ?? '', [`../../${sheetPath}`]: 'x', [sheetPath]: '' }),
    ],
    ['a cut one', () => writeXlsx({ sheets: [{ name: 'a', rows: [header, row(1)] }] }).subarray(0, -40)],
    ['nothing but its first bytes', () => Buffer.from('PK\u0003\u0004', 'latin1')],
    [
      'one that was packed again, a thousand times smaller',
      () => gzipSync(zipOf({ 'xl/media/image1.png': Buffer.alloc(40_000_000, 'ab') })),
      'gzip',
    ],
    ['a gzip in a gzip', () => gzipSync(gzipSync(Buffer.alloc(20_000_000))), 'gzip'],
  ])('an Excel file that is %s is refused in time, or read for what it is', async (_name, makeFile, encoding) => {
    const file = makeFile();
    const before = process.memoryUsage().rss;
    const begun = performance.now();
    const { status, body } = await upload(file, encoding);
    expect([status, status === 200 ? '' : body.message]).toEqual([expect.toBeOneOf([200, 400, 413]), expect.any(String)]);
    expect(JSON.stringify(body)).not.toContain('root:');
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
    if (status === 200) {
      // What nobody asked for was not read; the rows were.
      expect(body.import).toMatchObject({ rows: '1' });
    }
    await isServed();
  });

  /** Begins an upload and leaves it where it is. */
  function stall(piece: string, headers: Record<string, string> = {}): { end(): void; closed: Promise<void> } {
    const url = new URL('/api/v1/imports/grants?app=Files', server.url);
    const sent = httpRequest(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'transfer-encoding': 'chunked', ...headers },
    });
    const closed = new Promise<void>((resolve) => sent.once('close', () => resolve()));
    sent.on('error', () => undefined);
    sent.write(piece);
    return { end: () => sent.destroy(), closed };
  }

  it('many that stall hold no connection to the database, and are cleaned up when they break off', async () => {
    const stalled = upTo(40).map((n) => stall(`${header}\n${row(n)}\n`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await isServed();
    expect((await upload([header, row(2)].map(String).join('\n'))).status).toBe(200);
    const { total, idle, waiting } = server.app.database.stats();
    expect([total - idle <= 2, waiting]).toEqual([true, 0]);
    for (const one of stalled) {
      one.end();
    }
    await Promise.all(stalled.map(({ closed }) => closed));
  });

  it('ten large ones at once are taken in turn: nobody waits for a connection meanwhile', async () => {
    const large = (app: number): Buffer => Buffer.from([header, ...upTo(8000).map((n) => row(n + app))].map(String).join('\n'));
    const uploads = Promise.all(upTo(10).map((n) => upload(gzipSync(large(n)), 'gzip', `App ${n % 5}`)));
    let isOver = false;
    void uploads.finally(() => {
      isOver = true;
    });
    const started = performance.now();
    let slowest = 0;
    while (!isOver) {
      const asked = performance.now();
      await isServed();
      slowest = Math.max(slowest, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const answers = await uploads;
    expect(answers.map(({ status }) => status)).toEqual(upTo(10).map(() => 200));
    expect(slowest).toBeLessThan((performance.now() - started) / 4);
    await checkInventory(server.test.admin, server.id);
  });
});
