/** kill -9 of a process that fetches, at chosen steps and at moments in between: each fetch becomes one sync. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, requestGood } from '../support/api.ts';
import { type RunningProcess, runProcess } from '../support/run-process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const leaseMs = 900;
const file = `${import.meta.dirname}/../support/fetches-process.ts`;
const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';

describe('a process that fetches and is killed', () => {
  const importDir = mkdtempSync(join(tmpdir(), 'countersign-imports-'));
  let server: TestServer;
  let appId: string;
  let processes: RunningProcess[] = [];
  const call = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const start = async (step: string): Promise<RunningProcess> => {
    const started = runProcess(file, [server.test.url, importDir, String(leaseMs), step]);
    processes.push(started);
    await started.line(/^ready$/);
    return started;
  };

  beforeAll(async () => {
    mkdirSync(join(importDir, '127.0.0.1'));
    // Without jobs of its own: others fetch.
    server = await startTestServer({ config: { jobConcurrency: 0 } });
    appId = (await call('POST', '/api/v1/apps', { displayName: 'Wiki' })).app.id;
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    processes = [];
  });
  afterAll(async () => {
    await server.stop();
    rmSync(importDir, { recursive: true });
  });

  it.each(['opened', 'attempted', '100'])('at %s leaves one sync', async (step) => {
    const rows = Array.from({ length: 4000 }, (_, n) => `${step}-${n},,USER,ENABLED,role,A,read,,\n`).join('');
    writeFileSync(join(importDir, '127.0.0.1', `${step}.csv`), header + rows);
    const config = { '@type': 'type.googleapis.com/countersign.v1.FolderSettings', pattern: `${step}.csv` };
    const { id } = (await call('POST', `/api/v1/apps/${appId}/connectors/create`, { config })).connectorView.connector;
    // None by itself beside the one that is asked for.
    const yearly = { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } };
    await call('POST', `/api/v1/apps/${appId}/connectors/${id}/schedule`, yearly);
    const first = await start(step);
    await call('POST', `/api/v1/apps/${appId}/connectors/${id}/force_sync`, {});
    if (/\d/.test(step)) {
      await delay(Number(step));
    } else {
      await first.line(new RegExp(`^${step}$`));
    }
    await first.end('SIGKILL');
    await start('none');
    const fetch = await until(async () => {
      const { list } = await call('GET', `/api/v1/fetches?connector_id=${id}`);
      expect(list).toMatchObject([{ state: 'FETCH_STATE_DONE' }]);
      return list[0];
    });
    const imports = (await call('GET', `/api/v1/imports?connector_id=${id}`)).list;
    expect(imports).toMatchObject([{ import: { id: fetch.importId, added: '4000', state: 'IMPORT_STATE_DONE' } }]);
    await until(async () => expect(await server.test.admin(`SELECT id FROM jobs WHERE id = '${fetch.id}'`)).toEqual([]));
  });
});
