/**
 * Excel files that are bombs, sent to a server that is a process of its own, so that what its memory grows by at the most is its doing alone. Each is
 * refused in time or read for what it is, leaves no temporary file, and holds nobody else up.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.ts';
import { grantsHeader } from '../support/inventory.ts';
import { readProcessorTime } from '../support/processor-time.ts';
import { workbookParts, writeXlsx, writeZip } from '../support/xlsx.ts';
import { clientOf, makePlace, type Place, readCredential, type ServerProcess, startServer } from './server-process.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const row = (n: number): string[] => [`a${n}`, '', 'USER', 'ENABLED', 'role', 'r', 'e', '', ''];
const good = workbookParts({ sheets: [{ name: 'a', rows: [grantsHeader.split(','), row(1)] }] });
const sheetPath = Object.keys(good).find((name) => name.includes('worksheets/sheet')) ?? '';
const zipOf = (parts: Record<string, string | Buffer>): Buffer =>
  writeZip(Object.entries({ ...good, ...parts }).map(([name, content]) => ({ name, content })));
const sheetXml = (inside: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${inside}</sheetData></worksheet>`;
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${upTo(9)
  .map((n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`)
  .join('')}]>`;
const cell = (text: string): string => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;

describe('an Excel file that is a bomb', () => {
  let place: Place;
  let server: ServerProcess;
  let token: string;

  beforeAll(async () => {
    place = await makePlace();
    server = startServer(place);
    await server.ready();
    token = await clientOf(place, await readCredential(place)).token();
    expect((await upload([grantsHeader, row(1)].map(String).join('\n'))).status).toBe(200);
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    await place.remove();
  });

  /** Bytes of memory of the server, as Linux says; `VmHWM` is the most there ever were. */
  async function readMemory(which: 'VmRSS' | 'VmHWM'): Promise<number> {
    const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8');
    const found = new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1];
    expect(found).toBeDefined();
    return Number(found) * 1024;
  }

  /** Temporary files of uploads that the server has open. */
  async function countSpools(): Promise<number> {
    const folder = `/proc/${server.child.pid}/fd`;
    const open = await readdir(folder);
    const targets = await Promise.all(open.map((fd) => readlink(`${folder}/${fd}`).catch(() => '')));
    return targets.filter((target) => target.includes('countersign-import-')).length;
  }
  afterEach(async () => {
    await expect.poll(countSpools, { timeout: 60_000 }).toBe(0);
  });

  async function upload(file: string | Buffer, encoding?: string): Promise<Answer> {
    const response = await fetch(`${place.url}/api/v1/imports/grants?app=Files&allow_removals=true`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'text/csv',
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      },
      body: typeof file === 'string' ? file : new Uint8Array(file),
    });
    return { status: response.status, body: await response.json() };
  }
  const isServed = async (): Promise<void> => {
    const begun = await readProcessorTime(server.child.pid);
    const response = await fetch(`${place.url}/api/v1/apps`, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    expect([response.status, (await readProcessorTime(server.child.pid)) - begun < 5000]).toEqual([200, true]);
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
    ['a cut one', () => writeXlsx({ sheets: [{ name: 'a', rows: [grantsHeader.split(','), row(1)] }] }).subarray(0, -40)],
    ['nothing but its first bytes', () => Buffer.from('PK\u0003\u0004', 'latin1')],
    [
      'one that was packed again, a thousand times smaller',
      () => gzipSync(zipOf({ 'xl/media/image1.png': Buffer.alloc(40_000_000, 'ab') })),
      'gzip',
    ],
    ['a gzip in a gzip', () => gzipSync(gzipSync(Buffer.alloc(20_000_000))), 'gzip'],
  ])('%s: is refused in time, or read for what it is', async (_name, makeFile, encoding) => {
    const file = makeFile();
    const before = await readMemory('VmRSS');
    const begun = await readProcessorTime(server.child.pid);
    const { status, body } = await upload(file, encoding);
    expect([status, status === 200 ? '' : body.message]).toEqual([expect.toBeOneOf([200, 400, 413]), expect.any(String)]);
    expect(JSON.stringify(body)).not.toContain('root:');
    expect((await readProcessorTime(server.child.pid)) - begun).toBeLessThan(10_000);
    expect((await readMemory('VmHWM')) - before).toBeLessThan(300_000_000);
    if (status === 200) {
      // What nobody asked for was not read; the rows were.
      expect(body.import).toMatchObject({ rows: '1' });
    }
    await isServed();
  });
});
