/** `countersign connector run` as a process that is killed and stopped in the middle of a sync, against a server over TLS. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, requestGood } from '../support/api.ts';
import { makeCertificate } from '../support/certificate.ts';
import { type RunningProcess, runProcess } from '../support/run-process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const vectors = new URL('../vectors/baton/', import.meta.url).pathname;
const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;

describe('connector run, as a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-kills-'));
  const config = join(folder, 'runner.json');
  let server: TestServer;
  let id: string;
  const running: RunningProcess[] = [];
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const start = (): RunningProcess => {
    const one = runProcess(main, ['connector', 'run', '--config', config]);
    running.push(one);
    return one;
  };
  const pidOf = (): Promise<number> =>
    until(() => {
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    });
  const gone = (pid: number): Promise<void> => until(() => expect(() => process.kill(pid, 0)).toThrow());

  beforeAll(async () => {
    const tls = makeCertificate(folder);
    server = await startTestServer({ config: { tls } });
    const { id: appId } = (await ok('POST', '/api/v1/apps', { displayName: 'Wiki' })).app;
    const typeUrl = 'type.googleapis.com/countersign.v1.BatonSettings';
    const made = await ok('POST', `/api/v1/apps/${appId}/connectors/create`, { config: { '@type': typeUrl, program: 'baton-demo' } });
    id = made.connectorView.connector.id;
    const at = `/api/v1/apps/${appId}/connectors/${id}`;
    await ok('POST', `${at}/schedule`, { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
    const { credential } = await ok('POST', `${at}/credentials`, {});
    const script = `case "$1" in capabilities|--version) exit 1;; esac
[ -e ${folder}/slow ] && { echo $$ > ${folder}/pid; exec sleep 300; }
cp ${vectors}demo-sdk-0.2.50.c1z "$2"`;
    writeFileSync(join(folder, 'baton'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'secret'), credential.clientSecret, { mode: 0o600 });
    const said = { mode: 'once', binary: join(folder, 'baton'), clientId: credential.clientId, ca: tls.certFile, folder };
    writeFileSync(config, JSON.stringify({ ...said, clientSecretFile: join(folder, 'secret') }));
    writeFileSync(join(folder, 'slow'), '');
    await ok('POST', `${at}/force_sync`, {});
  });
  afterAll(async () => {
    for (const one of running) {
      await one.end('SIGKILL');
    }
    if (existsSync(join(folder, 'pid'))) {
      await gone(Number(readFileSync(join(folder, 'pid'), 'utf8')));
    }
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('takes the sync again after a kill, and there is one sync', async () => {
    const first = start();
    const pid = await pidOf();
    await first.end('SIGKILL');
    // What a supervisor does: the group of the connector outlives the runner.
    process.kill(-pid, 'SIGKILL');
    await gone(pid);
    rmSync(join(folder, 'pid'));
    await server.test.admin('UPDATE connector_tasks SET leased_until = now() WHERE source_id = $1', [id]);
    const second = start();
    const again = await pidOf();
    // Stopped in order: the connector ends first, and the server hears of it.
    expect(await second.end('SIGTERM')).toBe(0);
    await gone(again);
    expect(second.lines.at(-1)).toContain('"stopped"');
    const states = async (): Promise<string[]> =>
      (await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list.map((one: Loose) => one.state);
    await until(async () => expect(await states()).toEqual(['FETCH_STATE_WAITING', 'FETCH_STATE_FAILED']));
    rmSync(join(folder, 'slow'));
    await server.test.admin('UPDATE fetches SET run_at = now() WHERE source_id = $1', [id]);
    const third = start();
    await until(async () => expect(await states()).toEqual(['FETCH_STATE_DONE', 'FETCH_STATE_FAILED']));
    expect((await ok('GET', `/api/v1/imports?connector_id=${id}`)).list).toHaveLength(1);
    expect(await third.end('SIGTERM')).toBe(0);
  });
});
