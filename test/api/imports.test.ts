/** Uploads over HTTP: large, compressed, refused while they are still coming, cut off; and what is seen of them afterwards. */
import { once } from 'node:events';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/context.ts';
import { ensureApp } from '../../src/inventory/catalog/index.ts';
import type { Answer } from '../support/api.ts';
import { grantsHeader, peopleHeader } from '../support/inventory.ts';
import { isLong } from '../support/runs.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('uploads over HTTP', () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer();
    token = await server.admin.client.token();
  });
  afterAll(() => server.stop());

  /** Sends pieces one after the other, and reads the reply whenever it comes. */
  function send(path: string, pieces: Iterable<string | Buffer>, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers };
      const request = http.request(new URL(path, server.url), { method: 'POST', headers: all }, async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) {
          parts.push(part as Buffer);
        }
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) });
        // Nobody waits for the rest of a request that was answered already.
        request.destroy();
      });
      request.on('error', reject);
      void (async () => {
        for (const piece of pieces) {
          if (!request.write(piece)) {
            await once(request, 'drain');
          }
        }
        request.end();
      })().catch(reject);
    });
  }

  function* rows(count: number): Generator<string> {
    for (let from = 0; from < count; from += 1000) {
      yield Array.from({ length: 1000 }, (_, at) => `a${from + at},,USER,ENABLED,role,r,e${at},,\n`).join('');
    }
  }

  it.runIf(isLong)('take a file in pieces, plain and compressed, with the same hash', async () => {
    const plain = await send('/api/v1/imports/grants?app=Plain', [`${grantsHeader}\n`, ...rows(20_000)]);
    expect(plain).toMatchObject({ status: 200, body: { import: { rows: '20000', added: '20000' } } });
    const text = [`${grantsHeader}\n`, ...rows(20_000)].join('');
    const spellings: Record<string, string>[] = [
      { 'content-encoding': 'gzip' },
      { 'content-type': 'application/gzip' },
      { 'content-type': 'application/octet-stream' },
    ];
    for (const headers of spellings) {
      const packed = await send('/api/v1/imports/grants?app=Plain', [gzipSync(text)], headers);
      expect(packed).toMatchObject({ status: 200, body: { import: { unchanged: '20000', fileSha256: plain.body.import.fileSha256 } } });
    }
  });

  it.each([
    ['a wrong header', 'mail\n', 'the header lacks email'],
    ['a broken quote', `${peopleHeader}\na"b\n`, 'line 2: a quote stands inside'],
  ])('hear of %s while they are still coming', async (_name, beginning, message) => {
    const answer = await send('/api/v1/imports/people', [beginning, ...Array<string>(300).fill(`${'x'.repeat(999)}\n`.repeat(100))]);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it('report an unknown encoding and a missing body', async () => {
    expect((await send('/api/v1/imports/people', ['x'.repeat(5_000_000)], { 'content-encoding': 'br' })).status).toBe(415);
    const answer = await send('/api/v1/imports/people', []);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('Nothing was imported');
  });

  it('need a credential before anything is read', async () => {
    expect((await send('/api/v1/imports/people', [peopleHeader], { authorization: 'Bearer nothing' })).status).toBe(401);
    expect((await send('/api/v1/imports/people', rows(500_000), { authorization: 'Bearer nothing' })).status).toBe(401);
  });

  it('keep a removal when it is allowed, in either spelling', async () => {
    await send('/api/v1/imports/grants?app=Small', [`${grantsHeader}\n`, ...rows(1000)]);
    const half = [
      `${grantsHeader}\n`,
      [...rows(1000)]
        .join('')
        .slice(0, 14_000)
        .replace(/[^\n]*$/, ''),
    ];
    expect((await send('/api/v1/imports/grants?app=Small', half)).status).toBe(400);
    expect((await send('/api/v1/imports/grants?app=Small&allowRemovals=true', half)).status).toBe(200);
    expect((await send('/api/v1/imports/grants?app=Small', [`${grantsHeader}\n`, ...rows(1000)])).status).toBe(200);
    expect((await send('/api/v1/imports/grants?app=Small&allow_removals=true', half)).status).toBe(200);
  });

  it('are dropped when their client goes away while they wait for their app', async () => {
    const locked = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const holding = inTransaction(server.system(), async (inside) => {
      await ensureApp(inside, 'Held');
      locked.resolve();
      await isOver.promise;
    });
    await locked.promise;
    try {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
      const leaving = http.request(new URL('/api/v1/imports/grants?app=Held', server.url), { method: 'POST', headers });
      leaving.on('error', () => undefined);
      leaving.end(`${grantsHeader}\n${rows(1000).next().value}`);
      const waiting = `SELECT 1 AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(() => server.test.admin(waiting), { timeout: 60_000, interval: 10 }).toEqual([{ waits: 1 }]);
      const closed = new Promise((resolve) => leaving.once('close', resolve));
      leaving.destroy();
      await closed;
      // What came before on another connection is heard before this is answered.
      await server.fetch('/readyz');
    } finally {
      isOver.resolve();
      await holding;
    }
    const next = await send('/api/v1/imports/grants?app=Held', [`${grantsHeader}\na,,USER,ENABLED,role,r,e,,\n`]);
    expect(next).toMatchObject({ status: 200, body: { import: { rows: '1', added: '1' } } });
    const { rows: found } = await server
      .fetch(`/api/v1/imports?app_id=${next.body.import.appId}`, { headers: { authorization: `Bearer ${token}` } })
      .then(async (response) => ({ rows: ((await response.json()) as { list: { import: { rows: string } }[] }).list }));
    expect(found.map((one) => one.import.rows)).toEqual(['1']);
  });
});
