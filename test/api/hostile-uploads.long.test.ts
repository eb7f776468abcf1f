/**
 * Uploads that are made to hurt: bodies that stall or break off, many large ones at once. Each waits for its turn, leaves no temporary file, and
 * holds nobody else up. Excel files that are bombs are in excel-bombs.long.test.ts, bad rows in hostile-files.long.test.ts.
 */
import { readdir, readlink } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { grantsHeader } from '../support/inventory.ts';
import { processorTimeOf } from '../support/processor-time.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const row = (n: number): string[] => [`a${n}`, '', 'USER', 'ENABLED', 'role', 'r', 'e', '', ''];
describe('uploads that are made to hurt', () => {
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    server = await startTestServer({ config: { poolSize: 6 } });
    token = await server.admin.client.token();
    expect(
      (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Files', [grantsHeader, row(1)].map(String).join('\n'))).status,
    ).toBe(200);
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
    // This process is the server, too: what it works at meanwhile is all that may keep an answer waiting.
    const taken = await processorTimeOf(async () => {
      expect((await request(server, server.admin, 'GET', '/api/v1/apps')).status).toBe(200);
    });
    expect(taken).toBeLessThan(5000);
  };

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
    const stalled = upTo(40).map((n) => stall(`${grantsHeader}\n${row(n)}\n`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await isServed();
    expect((await upload([grantsHeader, row(2)].map(String).join('\n'))).status).toBe(200);
    const { total, idle, waiting } = server.app.database.stats();
    expect([total - idle <= 2, waiting]).toEqual([true, 0]);
    for (const one of stalled) {
      one.end();
    }
    await Promise.all(stalled.map(({ closed }) => closed));
  });

  it('ten large ones at once are taken in turn: nobody waits for a connection meanwhile', async () => {
    const large = (app: number): Buffer => Buffer.from([grantsHeader, ...upTo(8000).map((n) => row(n + app))].map(String).join('\n'));
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
