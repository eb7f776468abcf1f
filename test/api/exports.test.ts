/**
 * Exports as their vendors' tools write them (test/exports: real headers and encodings, made-up people), imported unedited and with nothing said
 * about them: who has what, and who can still sign in.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectedGrants, expectedPeople } from '../exports/expected.ts';
import { type Loose, request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { sampled } from '../support/runs.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const fileOf = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../exports', name));

describe('exports as they are', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());

  const ask = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await request(server, server.admin, method, path, body);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body;
  };

  async function grantsOf(importId: string): Promise<string[]> {
    const { list } = await ask('GET', `/api/v1/imports/${importId}/grants?page_size=100`);
    return list
      .map(({ account, email, accountType, accountStatus, entitlement: held, grantedAt, lastUsedAt, expiresAt }: Loose) =>
        [
          account,
          email,
          accountType,
          accountStatus,
          `${held.resourceType}/${held.resource}/${held.entitlement}`,
          ...[grantedAt, lastUsedAt, expiresAt].map((time) => time ?? '-'),
        ].join(' '),
      )
      .sort();
  }

  it.each(sampled(Object.entries(expectedGrants), 4))('%s: grants', async (name, expected) => {
    const { status, body } = await sendFile(
      server,
      server.admin,
      `/api/v1/imports/grants?app=${encodeURIComponent(`App ${name}`)}`,
      fileOf(name),
    );
    expect([status, body.message]).toEqual([200, undefined]);
    expect(await grantsOf(body.import.id)).toEqual([...expected.grants].sort());
    expect(body.import.reading).toMatchObject(expected.reading);
    expect(body.import.findings).toMatchObject({ isNewApp: true });
    // Next week's file is read in the same way, and says nothing new.
    const again = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${encodeURIComponent(`App ${name}`)}`, fileOf(name));
    expect([again.status, again.body.message]).toEqual([200, undefined]);
    expect(again.body.import).toMatchObject({ added: '0', changed: '0', removed: '0' });
    expect(await grantsOf(again.body.import.id)).toEqual([...expected.grants].sort());
  });

  it('say on the command line what they made, and take owners of many accounts from a file', async () => {
    const env = environmentFor(server.url, server.admin.credential);
    const run = (...args: string[]) => runInProcess(args, { env });
    const folder = mkdtempSync(join(tmpdir(), 'exports-test-'));
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    try {
      await server.makePerson('owner@example.com');
      const file = join(import.meta.dirname, '../exports/github-users.csv');
      const first = await run('import', 'grants', file, '--app', 'Octopus');
      expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('Made the new app "Octopus"') });
      const { stdout } = await run('import', 'grants', file, '--app', 'Octopsu');
      expect(stdout).toContain('Made the new app "Octopsu"; did you mean "Octopus"?');
      expect(stdout).toContain('Accounts without an owner: 3.');
      expect(stdout).toContain('by the preset github-users');
      expect(stdout).toContain('account_status: "false" is ENABLED (2), "true" is DISABLED (1).');
      expect(stdout).toContain('account_type "USER"');
      const assign = (text: string) => run('account', 'assign', '--app', 'Octopus', '--file', write('owners.csv', text));
      const wrong = await assign(
        'account,owner\nsample-ann,owner@example.com\nsample-zoe,owner@example.com\nsample-bob,none@example.com\n',
      );
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toContain('line 3: there is no account "sample-zoe"');
      expect(wrong.stderr).toContain('line 4: ');
      expect((await assign('sample-ann;owner@example.com\nsample-bob;owner@example.com\n')).stdout).toContain('Owners set: 2.');
      expect((await run('account', 'list', '--app', 'Octopus', '--user', 'owner@example.com')).stdout.match(/sample-/g)).toHaveLength(2);
      expect((await run('import', 'grants', file, '--app', 'Octopus')).stdout).toContain('Accounts without an owner: 1.');
      expect((await run('account', 'assign', '--app', 'Octopus', '--account', 'x')).code).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(sampled(Object.entries(expectedPeople), 4))('%s: people', async (name, expected) => {
    const other = await server.makeTenant(name.replace('.csv', ''));
    const sent = await sendFile(other, other.admin, `/api/v1/imports/people?source=${name}`, fileOf(name));
    expect([sent.status, sent.body.message]).toEqual([200, undefined]);
    const { body } = await request(other, other.admin, 'POST', '/api/v1/search/users', { pageSize: 100 });
    const users = body.list.map(({ user }: Loose) => user).filter((user: Loose) => user.employeeIds?.length > 0);
    const nameOf = new Map(users.map((user: Loose) => [user.id, user.displayName]));
    const told = users.map((user: Loose) =>
      [
        user.employeeIds[0],
        user.email || '-',
        user.displayName,
        user.status,
        user.jobTitle || '-',
        user.department || '-',
        `<- ${nameOf.get(user.managerIds?.[0]) ?? '-'}`,
      ].join(' | '),
    );
    expect(told.sort()).toEqual([...expected.people].sort());
    expect(sent.body.import.reading).toMatchObject(expected.reading);
    const again = await sendFile(other, other.admin, `/api/v1/imports/people?source=${name}`, fileOf(name));
    expect(again.body.import).toMatchObject({ added: '0', changed: '0', removed: '0' });
  });
});
