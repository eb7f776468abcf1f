/** `countersign log`: checkpoints and proofs through the API, and the check on the database itself, with its exit codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLogProof } from '../../src/lib/log/log-proof.ts';
import { trustLogs } from '../../src/lib/log/log-policy.ts';
import { readVkey } from '../../src/lib/log/signed-note.ts';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
const file = (name: string): string => join(folder, name);
const api = (...args: string[]) => runInProcess(['log', ...args], { env: environmentFor(server.url, server.admin.credential) });
const local = (...args: string[]) => runInProcess(['log', ...args], { env: { COUNTERSIGN_DATABASE_URL: server.test.url } });

beforeAll(async () => {
  server = await startTestServer({});
  folder = mkdtempSync(join(tmpdir(), 'countersign-log-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('through the API', () => {
  it('shows the checkpoint and writes it to a file', async () => {
    expect(await api('show')).toMatchObject({ code: 0, stdout: expect.stringMatching(/origin +\S+\/log\/\w{27}\/1\n/) });
    expect(await api('show', '--output', file('kept.txt'))).toMatchObject({ code: 0 });
    expect(readFileSync(file('kept.txt'), 'utf8')).toMatch(/^\S+\/log\/\w{27}\/1\n\d+\n\S+\n\n— /);
  });

  it('proves events, and writes a proof that others can check', async () => {
    const proved = await api('prove', '0', '2', '--json');
    const { list } = JSON.parse(proved.stdout) as { list: { eventUid: string; leafHash: string }[] };
    expect(list).toHaveLength(2);
    expect(await api('prove', list[0]?.eventUid ?? '', '--output', file('first.tlog-proof'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Each is in the tree of'),
    });
    const { settings } = (await request(server, server.admin, 'GET', '/api/v1/settings/log')).body as { settings: { keys: string[] } };
    const leafHash = Buffer.from(list[0]?.leafHash ?? '', 'base64');
    expect(openLogProof(trustLogs(settings.keys.map(readVkey)), readFileSync(file('first.tlog-proof')), leafHash).index).toBe(0);
    expect(await api('prove', '0', '1', '--output', file('both'))).toMatchObject({ code: 2 });
    expect(await api('prove', '99999')).toMatchObject({ code: 1, stderr: expect.stringContaining('positions[0]') });
  });
});

describe('on the database', () => {
  it('holds: exit code 0, also against a checkpoint that was kept', async () => {
    expect(await local('check')).toMatchObject({ code: 0, stdout: expect.stringContaining('are as they were sealed.') });
    expect(await local('check', '--tenant', server.host, '--against', file('kept.txt'))).toMatchObject({ code: 0 });
  });

  it('does not run: exit code 2', async () => {
    expect(await local('check', '--since', 'yesterday')).toMatchObject({ code: 2 });
    expect(await local('check', '--against', file('nothing'), '--tenant', server.host)).toMatchObject({ code: 2 });
    expect(await local('check', '--tenant', 'nowhere.example')).toMatchObject({ code: 2 });
    expect(await local('check', '--log-secret-file', file('nothing'))).toMatchObject({ code: 2 });
  });

  it('does not hold: exit code 1, and each thing in a sentence', async () => {
    writeFileSync(file('other.txt'), 'other.example/log/x/1\n5\nAAAA\n\n— other AAAAAAAA\n');
    expect(await local('check', '--against', file('other.txt'), '--tenant', server.host)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('other.txt holds no checkpoint of this log'),
    });
    await server.test.admin('SET session_replication_role = replica');
    await server.test.admin(`UPDATE events SET data = '{"displayName": "Somebody"}' WHERE kind = 'tenant.created'`);
    await server.test.admin('SET session_replication_role = origin');
    const found = await local('check');
    expect(found).toMatchObject({ code: 1, stderr: expect.stringContaining('not hold') });
    expect(found.stdout).toMatch(/DOES NOT HOLD: Event \w{27} \(position \d+, tenant\.created, [^)]+\) is not what was sealed: data\.\n/);
    const asJson = await local('check', '--json');
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject([{ findings: 1, sentences: [expect.stringContaining('tenant.created')] }]);
  });
});
