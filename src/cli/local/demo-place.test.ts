/** The place where a demo is to run: beside other programs, beside itself, and with data of a former start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../context.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { credentialFileIn, findPlace } from './demo-place.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cs-place-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const find = (port?: number) => findPlace(port, dataDir, silentLogger);
/** Leaves behind what the first start of a demo does. */
const remember = (port: number, credential = { clientId: 'a@b/pcc', clientSecret: 'none' }): void =>
  writeFileSync(credentialFileIn(dataDir), JSON.stringify({ ...credential, tenantHost: `localhost:${port}` }));

async function occupy(): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

it('is the next free port for new data, and says that it is another one', async () => {
  const { port, server } = await occupy();
  try {
    const place = await find(port);
    expect(place).toMatchObject({ dataDir, isOther: true });
    expect(place.port).toBeGreaterThan(port);
  } finally {
    server.close();
  }
});

it('is the port of the first start where there are data, and no other one', async () => {
  const port = await freePort();
  remember(port);
  expect(await find()).toEqual({ port, dataDir, isOther: false });
  expect(await find(port)).toEqual({ port, dataDir, isOther: false });
  await expect(find(port - 1)).rejects.toThrow(`Start it with --port ${port}, or choose another --data-dir`);
});

it('is nowhere while another program has that port', async () => {
  const { port, server } = await occupy();
  try {
    remember(port);
    await expect(find()).rejects.toThrow(`Another program uses port ${port}`);
  } finally {
    server.close();
  }
});

it('is where a demo with the same data runs already', async () => {
  const server = await startTestServer();
  try {
    const port = Number(new URL(server.url).port);
    remember(port, server.admin.credential);
    expect(await find()).toMatchObject({ port, dataDir, running: { url: `http://localhost:${port}` } });
    expect(await find(port)).toMatchObject({ running: { url: `http://localhost:${port}` } });
  } finally {
    await server.stop();
  }
});
