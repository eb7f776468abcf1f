/**
 * A server that is killed behind the end of an upload, before or while the file is read: started again it asks the connector once more, and whenever
 * it was killed, the file is one sync. Connectors reach it as behind a proxy, without TLS.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { ConnectorService } from '../../src/gen/c1/api/app/v1/connector_service_pb.js';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { FetchService } from '../../src/gen/countersign/v1/fetches_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { startConnector, type TestConnector } from '../support/connector.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { clientOf, makePlace, type Place, queryDatabase, readCredential, type ServerProcess, startServer } from './server-process.ts';

const file = readFileSync(new URL('../vectors/baton/sdk-0.25-sqlite.c1z', import.meta.url));
const typeUrl = 'type.googleapis.com/countersign.v1.BatonSettings';
let place: Place;
let server: ServerProcess;
let connectorPort: number;

async function start(): Promise<void> {
  server = startServer(place, place.port, { COUNTERSIGN_CONNECTOR_PORT: String(connectorPort) });
  await server.ready();
}

afterEach(async () => {
  await server.end('SIGTERM');
  await place.remove();
});

it.each([0, 150])('is one sync after a kill %i ms behind the end of the upload', async (afterMs) => {
  place = await makePlace();
  connectorPort = await freePort();
  await start();
  const admin = clientOf(place, await readCredential(place));
  const { app } = await admin.call(AppService.method.create, { displayName: 'Wiki' });
  const appId = app?.id ?? '';
  const made = await admin.call(ConnectorService.method.create, { appId, config: { '@type': typeUrl } as never });
  const connectorId = made.connectorView?.connector?.id ?? '';
  const { credential = {} } = await admin.call(ConnectorService.method.rotateCredential, { appId, connectorId });
  const { clientId = '', clientSecret = '' } = credential;
  const grpcUrl = `http://127.0.0.1:${connectorPort}`;
  const connect = (): Promise<TestConnector> => startConnector({ url: place.url, grpcUrl, clientId, clientSecret, hostId: 'host' });
  await admin.call(ConnectorService.method.forceSync, { appId, connectorId });
  const connector = await connect();
  const task = await connector.getTask();
  expect(await connector.upload(task.id, file)).toMatchObject({ code: 0 });
  await delay(afterMs);
  await server.end('SIGKILL');
  connector.close();
  await start();
  await queryDatabase(place, "UPDATE connector_tasks SET leased_until = now() WHERE state = 'READING'");
  const again = await connect();
  const second = await again.getTask();
  if (second.kind === 'sync') {
    await again.upload(second.id, file);
  }
  await until(async () => {
    const { list = [] } = await admin.call(FetchService.method.list, { connectorId });
    expect(list.map(({ state }) => state)).toEqual(['FETCH_STATE_DONE']);
  });
  again.close();
  const { list = [] } = await admin.call(ImportService.method.list, { connectorId });
  expect(list).toHaveLength(1);
});
