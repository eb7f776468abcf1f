/** Connectors that speak to us, from outside: they sign in, take tasks and upload over the server's own TLS port. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, requestGood } from '../support/api.ts';
import { makeCertificate } from '../support/certificate.ts';
import { askToken, type ConnectorOptions, grpc, startConnector, type TestConnector } from '../support/connector.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const vector = (name: string): Buffer => readFileSync(new URL(`../vectors/baton/${name}.c1z`, import.meta.url));
const typeUrl = 'type.googleapis.com/countersign.v1.BatonSettings';

describe('connectors that speak to us', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-connectors-'));
  let server: TestServer;
  let appId: string;
  const open: TestConnector[] = [];
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  const at = (id = ''): string => `/api/v1/apps/${appId}/connectors${id && `/${id}`}`;
  async function make(): Promise<string> {
    const made = await ok('POST', `${at()}/create`, { config: { '@type': typeUrl, program: 'baton-demo' } });
    const { id } = made.connectorView.connector;
    // The usual one might come in the middle of a test.
    await ok('POST', `${at(id)}/schedule`, { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
    return id;
  }
  const rotate = async (id: string): Promise<Loose> => (await ok('POST', `${at(id)}/credentials`, {})).credential;
  const optionsOf = ({ clientId, clientSecret }: Loose, hostId: string): ConnectorOptions => ({
    url: server.url,
    clientId,
    clientSecret,
    hostId,
  });
  async function start(credential: Loose, hostId = 'host-1'): Promise<TestConnector> {
    const connector = await startConnector(optionsOf(credential, hostId));
    open.push(connector);
    return connector;
  }
  const force = (id: string): Promise<Loose> => ok('POST', `${at(id)}/force_sync`, {});
  const fetchesOf = async (id: string): Promise<Loose[]> => (await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list;
  const ended = (id: string): Promise<Loose> =>
    until(async () => {
      const [newest] = await fetchesOf(id);
      expect(newest?.state).not.toMatch(/WAITING|RUNNING|READING/);
      return newest;
    });
  const syncsOf = async (id: string): Promise<Loose[]> => (await ok('GET', `/api/v1/imports?connector_id=${id}`)).list;

  beforeAll(async () => {
    const tls = makeCertificate(folder);
    server = await startTestServer({ config: { tls } });
    appId = (await ok('POST', '/api/v1/apps', { displayName: 'Wiki' })).app.id;
  });
  afterAll(async () => {
    for (const connector of open) {
      connector.close();
    }
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('get http/1.1 where they offer it, and HTTP/2 where they offer that alone', async () => {
    const protocolOf = (...offered: string[]) =>
      new Promise((resolve, reject) => {
        const socket = connect({ port: server.app.port, host: '127.0.0.1', ...(offered.length > 0 && { ALPNProtocols: offered }) });
        socket.once('error', reject).once('secureConnect', () => {
          resolve(socket.alpnProtocol);
          socket.destroy();
        });
      });
    expect(await protocolOf('h2', 'http/1.1')).toBe('http/1.1');
    expect(await protocolOf('h2')).toBe('h2');
    expect(await protocolOf()).toBe(false);
  });

  it('open BatonService of their source, and nothing of REST', async () => {
    const id = await make();
    const connector = await start(await rotate(id));
    expect((await connector.hello()).code).toBe(grpc.ok);
    expect(await connector.getTask()).toMatchObject({ kind: 'none' });
    const answer = await server.fetch('/api/v1/apps', { headers: { authorization: `Bearer ${connector.token}` } });
    expect(answer.status).toBe(403);
  });

  it('sync, and the file becomes a sync once', async () => {
    const id = await make();
    const connector = await start(await rotate(id));
    await connector.hello();
    await force(id);
    const task = await connector.getTask();
    expect(task).toMatchObject({ kind: 'sync', storageEngine: 'sqlite' });
    expect(await connector.getTask()).toMatchObject({ kind: 'none' });
    expect(await connector.heartbeat(task.id)).toEqual({ code: grpc.ok, cancelled: false });
    const file = vector('demo-sdk-0.2.50');
    expect((await connector.upload(task.id, file, Buffer.alloc(32))).code).toBe(grpc.invalidArgument);
    expect(await connector.upload(task.id, file)).toMatchObject({ code: grpc.ok, message: '' });
    expect(await connector.upload(task.id, file)).toMatchObject({ code: grpc.ok });
    expect(await connector.finish(task.id)).toMatchObject({ code: grpc.ok });
    expect(await connector.finish(task.id)).toMatchObject({ code: grpc.ok });
    expect(await ended(id)).toMatchObject({ state: 'FETCH_STATE_DONE', error: '' });
    expect(await syncsOf(id)).toHaveLength(1);
  });

  it('have one sync for two hosts, and lose what they are silent about', async () => {
    const id = await make();
    const credential = await rotate(id);
    const [first, second] = [await start(credential, 'host-1'), await start(credential, 'host-2')];
    await force(id);
    const task = await first.getTask();
    expect(task.kind).toBe('sync');
    expect(await second.getTask()).toMatchObject({ kind: 'none' });
    expect((await second.heartbeat(task.id)).code).toBe(grpc.notFound);
    await server.test.admin('UPDATE connector_tasks SET leased_until = now() WHERE id = $1', [task.id]);
    expect(await second.getTask()).toMatchObject({ kind: 'sync', id: task.id });
    expect((await first.upload(task.id, vector('demo-sdk-0.2.50'))).code).toBe(grpc.notFound);
    await second.upload(task.id, vector('demo-sdk-0.2.50'));
    expect(await ended(id)).toMatchObject({ state: 'FETCH_STATE_DONE' });
    expect(await syncsOf(id)).toHaveLength(1);
  });

  it('fail with their words, or with those about their file', async () => {
    const id = await make();
    const connector = await start(await rotate(id));
    await force(id);
    const task = await connector.getTask();
    await connector.finish(task.id, { code: 2, message: 'the system is away' });
    expect((await fetchesOf(id))[0]).toMatchObject({ state: 'FETCH_STATE_WAITING', reason: 'FETCH_REASON_RETRY' });
    expect((await fetchesOf(id))[1]).toMatchObject({ state: 'FETCH_STATE_FAILED', error: 'the system is away' });
    await force(id);
    const second = await connector.getTask();
    await connector.upload(second.id, vector('sdk-0.25-pebble'));
    expect(await ended(id)).toMatchObject({ state: 'FETCH_STATE_FAILED', error: expect.stringContaining('BATON_STORAGE_ENGINE') });
  });

  it('hear that their work is cancelled, and find out who they are no more', async () => {
    const id = await make();
    const credential = await rotate(id);
    const connector = await start(credential);
    await force(id);
    const task = await connector.getTask();
    await ok('POST', `${at(id)}/pause`, {});
    expect(await connector.heartbeat(task.id)).toEqual({ code: grpc.ok, cancelled: true });
    const polled = await connector.call('GetTask', [[1, 'host-1']]);
    expect([polled.reply.one(1).has(100), polled.reply.one(2).whole(1)]).toEqual([true, 300]);
    expect(await connector.heartbeat('3000000000000000000000000Aa')).toMatchObject({ code: grpc.notFound });
    expect((await connector.call('GetTask', [[1, '']])).code).toBe(grpc.invalidArgument);
    await ok('POST', `${at(id)}/credentials/${credential.id}`, {});
    expect((await connector.call('Hello', [[1, 'host-1']])).code).toBe(grpc.unauthenticated);
    const other = await start(await rotate(id));
    await ok('DELETE', at(id), {});
    expect((await other.call('GetTask', [[1, 'host-1']])).code).toBe(grpc.permissionDenied);
  });

  it('are refused as somebody else, at another host, and where they ask too often', async () => {
    const id = await make();
    const credential = await rotate(id);
    const connector = await start(credential);
    const elsewhere = await startConnector({ ...optionsOf(credential, 'host-1'), authority: 'other.example' });
    open.push(elsewhere);
    expect((await elsewhere.call('GetTask', [[1, 'host-1']])).code).toBe(grpc.permissionDenied);
    const person = await startConnector(optionsOf(server.admin.credential, 'host-1'));
    open.push(person);
    expect((await person.call('GetTask', [[1, 'host-1']])).code).toBe(grpc.permissionDenied);
    const codes = await Promise.all(Array.from({ length: 61 }, async () => (await connector.call('GetTask', [[1, 'host-1']])).code));
    expect(codes.filter((code) => code !== grpc.ok)).toEqual([grpc.resourceExhausted]);
  });

  it('say what they are, once for each version', async () => {
    const id = await make();
    const connector = await start(await rotate(id));
    await connector.getTask();
    await connector.hello('1.0.0');
    await connector.hello('1.0.0');
    await connector.hello('1.1.0');
    const { list } = await ok('GET', `/api/v1/sources/${id}/hosts`);
    expect(list).toMatchObject([
      {
        hostId: 'host-1',
        hostname: 'host-1.example',
        platform: 'linux/x86_64',
        packageVersion: '1.1.0',
        capabilities: ['CAPABILITY_PROVISION', 'CAPABILITY_SYNC'],
      },
    ]);
    const events = await ok('POST', '/api/v1/systemlog/events', { targetId: id, eventKinds: ['connector.hello'] });
    expect(events.list).toHaveLength(2);
  });

  it('keep the end of their log with the task', async () => {
    const id = await make();
    const connector = await start(await rotate(id));
    await force(id);
    const task = await connector.getTask();
    const log = Buffer.from(`${'x'.repeat(100_000)} the end`);
    expect((await connector.upload(task.id, log)).code).toBe(grpc.ok);
    const [row] = (await server.test.admin('SELECT log, state FROM connector_tasks WHERE id = $1', [task.id])) as Loose[];
    expect([row.log.length, row.log.endsWith(' the end'), row.state]).toEqual([64 * 1024, true, 'RUNNING']);
    const [fetch] = (await ok('GET', `/api/v1/fetches?connector_id=${id}`)).list;
    expect(await ok('GET', `/api/v1/sources/${id}/fetches/${fetch.id}/log`)).toMatchObject({
      log: row.log,
      hostId: expect.stringMatching(/./),
    });
    const other = await make();
    expect((await admin('GET', `/api/v1/sources/${other}/fetches/${fetch.id}/log`)).status).toBe(404);
  });

  it('come by the name of their program', async () => {
    const made = await ok('POST', at(), { displayName: 'GitHub', catalogId: 'baton-github' });
    const { id } = made.connectorView.connector;
    expect((await ok('GET', `/api/v1/sources/${id}`)).source.kind).toBe('SOURCE_KIND_BATON');
    const files = await ok('POST', at(), { displayName: 'Other' });
    expect((await admin('POST', `${at(files.connectorView.connector.id)}/credentials`, {})).status).toBe(400);
  });

  it('have at most two credentials, of which the older ends a day after the first use of the newer', async () => {
    const id = await make();
    const first = await rotate(id);
    expect(first).toMatchObject({ appId, connectorId: id, clientId: expect.stringMatching(/@127\.0\.0\.1:\d+\/ccc$/) });
    expect((await askToken(optionsOf(first, 'host'))).status).toBe(200);
    const second = await rotate(id);
    expect((await admin('POST', `${at(id)}/credentials`, {})).body.message).toContain('two live credentials');
    const read = async (one: Loose): Promise<Loose> => (await ok('GET', `${at(id)}/credentials/${one.id}`)).credential;
    expect((await read(first)).expiresTime).toBeUndefined();
    expect((await askToken(optionsOf(second, 'host'))).status).toBe(200);
    await until(async () => expect(Date.parse((await read(first)).expiresTime) - Date.now()).toBeGreaterThan(23 * 3_600_000));
    expect(await read(second)).toMatchObject({ clientSecret: '', lastUsedAt: expect.any(String) });
    await ok('POST', `${at(id)}/credentials/${second.id}`, {});
    expect((await askToken(optionsOf(second, 'host'))).status).toBe(401);
    expect((await ok('GET', `/api/v1/sources/${id}/credentials`)).list).toHaveLength(1);
  });
});
