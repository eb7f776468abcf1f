/** `countersign connector run` against a server over TLS, with small programs that end as connectors do and leave files of real ones. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, requestGood } from '../support/api.ts';
import { makeCertificate } from '../support/certificate.ts';
import { type CommandResult, runInProcess } from '../support/command-line.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const vectors = new URL('../vectors/baton/', import.meta.url).pathname;
const typeUrl = 'type.googleapis.com/countersign.v1.BatonSettings';
const capabilities = JSON.stringify({
  '@type': 'type.googleapis.com/c1.connector.v2.ConnectorCapabilities',
  resourceTypeCapabilities: [
    { resourceType: { id: 'role', traits: ['TRAIT_ROLE'] }, capabilities: ['CAPABILITY_SYNC', 'CAPABILITY_PROVISION', 'CAPABILITY_NEWER'] },
  ],
  connectorCapabilities: ['CAPABILITY_PROVISION', 'CAPABILITY_SYNC', 'CAPABILITY_TICKETING'],
});

describe('connector run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-run-'));
  let server: TestServer;
  let ca: string;
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const fetchesOf = async (id: string): Promise<Loose[]> => (await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list;
  const syncsOf = async (id: string): Promise<Loose[]> =>
    (await ok('GET', `/api/v1/imports?connector_id=${id}`)).list.map((one: Loose) => one.import);

  /** A source with a credential, a program that is its connector, and the file that runs it. */
  async function make(name: string, script: string): Promise<{ id: string; appId: string; home: string; config: string }> {
    const appId = (await ok('POST', '/api/v1/apps', { displayName: name })).app.id;
    const made = await ok('POST', `/api/v1/apps/${appId}/connectors/create`, { config: { '@type': typeUrl, program: name } });
    const { id } = made.connectorView.connector;
    await ok('POST', `/api/v1/apps/${appId}/connectors/${id}/schedule`, { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
    const { credential } = await ok('POST', `/api/v1/apps/${appId}/connectors/${id}/credentials`, {});
    const home = mkdtempSync(join(folder, `${name}-`));
    const binary = join(home, name);
    const say = `case "$1" in capabilities) echo '${capabilities}'; exit;; --version) echo "${name} version v1.2.3"; exit;; esac`;
    writeFileSync(binary, `#!/bin/sh\n${say}\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(home, 'secret'), `${credential.clientSecret}\n`, { mode: 0o600 });
    const config = join(home, 'runner.json');
    const { clientId } = credential;
    const said = { mode: 'once', binary, args: ['--log-level', 'info'], env: { BATON_TOKEN: 'hush-hush' }, clientId, ca, folder: home };
    writeFileSync(config, JSON.stringify({ ...said, clientSecretFile: join(home, 'secret') }));
    return { id, appId, home, config };
  }

  /** Runs it until `work` is done. */
  async function during(config: string, work: () => Promise<void>): Promise<CommandResult> {
    const stop = new AbortController();
    const running = runInProcess(['connector', 'run', '--config', config], {
      env: { PATH: process.env['PATH'] ?? '' },
      signal: stop.signal,
    });
    try {
      await Promise.race([work(), running.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)))]);
    } finally {
      stop.abort();
    }
    return running;
  }
  const force = ({ id, appId }: { id: string; appId: string }): Promise<Loose> =>
    ok('POST', `/api/v1/apps/${appId}/connectors/${id}/force_sync`, {});
  const ended = (id: string, state: string): Promise<Loose> =>
    until(async () => {
      const one = (await fetchesOf(id)).find((fetch) => fetch.state === `FETCH_STATE_${state}`);
      expect(one).toBeDefined();
      return one;
    });

  beforeAll(async () => {
    const tls = makeCertificate(folder);
    ca = tls.certFile;
    server = await startTestServer({ config: { tls } });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('takes a sync, sends the log and the file, and says what the connector can do', async () => {
    const made = await make(
      'baton-demo',
      `env > ${folder}/env; echo "$@" > ${folder}/args; echo "token hush-hush"; cp ${vectors}demo-sdk-0.2.50.c1z "$2"`,
    );
    const { id, home, config } = made;
    await force(made);
    const { code, stdout, stderr } = await during(config, async () => {
      expect(await ended(id, 'DONE')).toMatchObject({ error: '' });
    });
    expect([code, stderr]).toEqual([0, 'token hush-hush\n']);
    expect(await syncsOf(id)).toMatchObject([{ isComplete: true }]);
    expect(stdout).toContain('the file of a sync was sent');
    expect(stdout).not.toContain('hush');
    const env = readFileSync(join(folder, 'env'), 'utf8')
      .split('\n')
      .map((line) => line.replace(/=.*/, ''))
      .filter((name) => name !== '');
    expect(env.filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)).sort()).toEqual([
      'BATON_STORAGE_ENGINE',
      'BATON_TOKEN',
      'PATH',
      'TMPDIR',
    ]);
    expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(/^-f \/\S+\/sync\.c1z --log-level info\n$/);
    expect(readdirSync(home).sort()).toEqual(['baton-demo', 'host-id', 'last.c1z', 'runner.json', 'secret']);
    const { list } = await ok('GET', `/api/v1/sources/${id}/hosts`);
    expect(list).toMatchObject([
      { package: 'baton-demo', packageVersion: 'v1.2.3', capabilities: ['CAPABILITY_SYNC', 'CAPABILITY_PROVISION'] },
    ]);
    const [{ log }] = (await server.test.admin('SELECT log FROM connector_tasks WHERE source_id = $1', [id])) as Loose[];
    expect(log).toBe('token ***\n');
  });

  it('ends nothing where the connector completed with warnings', async () => {
    const made = await make('baton-warns', `cp ${vectors}$(cat ${folder}/which) "$2"; cat ${folder}/says`);
    const { id, home, config } = made;
    const run = async (which: string, says: string, syncs: number): Promise<void> => {
      writeFileSync(join(folder, 'which'), which);
      writeFileSync(join(folder, 'says'), says);
      await force(made);
      await during(config, async () => {
        await until(async () => expect((await fetchesOf(id)).map(({ state }) => state)).toEqual(Array(syncs).fill('FETCH_STATE_DONE')));
      });
    };
    await run('demo-sdk-0.2.50.c1z', 'done', 1);
    // One grant is missing in it.
    await run('demo-sdk-0.2.50-after-revoke.c1z', '{"msg":"Sync completed with warnings"}', 2);
    expect(await syncsOf(id)).toContainEqual(expect.objectContaining({ isComplete: false, incompleteReason: 'WARNINGS', removed: '0' }));
    await run('demo-sdk-0.2.50-after-revoke.c1z', 'done', 3);
    expect(await syncsOf(id)).toContainEqual(expect.objectContaining({ isComplete: true, removed: '1' }));
    expect(readdirSync(home)).toContain('last.c1z');
  });

  it('says why a connector failed, in its own words', async () => {
    const made = await make('baton-fails', 'echo "invalid token hush-hush" >&2; exit 16');
    const { id, config } = made;
    await force(made);
    const { stdout } = await during(config, async () => {
      expect(await ended(id, 'FAILED')).toMatchObject({ error: 'The connector ended with exit code 16: invalid token ***' });
    });
    expect(stdout).toContain('a task failed');
  });

  it('says all that is wrong with its file', async () => {
    const config = join(folder, 'wrong.json');
    writeFileSync(
      config,
      JSON.stringify({ mode: 'twice', binary: 'baton-demo', args: ['-f', 'x'], env: { BATON_CLIENT_ID: 'x' }, more: 1 }),
    );
    const { code, stderr } = await runInProcess(['connector', 'run', '--config', config]);
    expect(code).toBe(2);
    for (const field of ['mode', 'binary', 'args[0]', 'env.BATON_CLIENT_ID', 'clientId', 'clientSecretFile', 'folder', 'more']) {
      expect(stderr).toContain(`  ${field}: `);
    }
  });
});
