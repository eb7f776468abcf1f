/** `countersign sync`: what imports took in, as the command line shows it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { grantsHeader } from '../support/inventory.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

describe('sync', () => {
  let server: TestServer;
  let env: Record<string, string>;
  let ids: string[];
  const line = (account: string, entitlement: string): string => `${account},,USER,ENABLED,role,wiki,${entitlement},,`;
  beforeAll(async () => {
    server = await useTestServer();
    env = environmentFor(server.url, server.admin.credential);
    const files = [
      [line('ann', 'read'), line('bob', 'read')],
      [line('ann', 'read'), line('ann', 'write')],
    ];
    ids = [];
    for (const lines of files) {
      const answer = await sendFile(
        server,
        server.admin,
        '/api/v1/imports/grants?app=Wiki&allow_removals=true',
        [grantsHeader, ...lines].join('\n'),
      );
      ids.push(answer.body.import.id);
    }
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', `${grantsHeader}\n${line('', 'read')}`);
  });
  afterAll(() => server.stop());

  const run = (...args: string[]): Promise<CommandResult> => runInProcess(['sync', ...args], { env });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

  it('list: the newest first, filtered by app, source and outcome', async () => {
    const all = await json('list');
    expect(all).toHaveLength(3);
    expect(all.slice(1).map((one: { id: string }) => one.id)).toEqual(ids.toReversed());
    expect(await json('list', '--failed')).toMatchObject([{ state: 'IMPORT_STATE_FAILED', rejected: '1' }]);
    expect(await json('list', '--app', 'wiki', '--limit', '2')).toHaveLength(2);
    expect(await json('list', '--source', all[1].connectorId)).toHaveLength(3);
    expect(await json('list', '--source', 'FILES', '--failed')).toHaveLength(1);
    expect(await json('list', '--source', 'files', '--app', 'wiki')).toHaveLength(3);
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Second', `${grantsHeader}\n${line('ann', 'read')}`);
    expect(await run('list', '--source', 'files')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2 sources are named "files"'),
    });
    expect(await json('list', '--source', 'files', '--app', 'second')).toHaveLength(1);
    expect(await json('list', '--source', 'nothing')).toEqual([]);
    const { stdout } = await run('list');
    expect(stdout).toContain('refused');
    expect(stdout.split('\n')[0]).toContain('UNCHANGED');
    expect(await run('list', '--limit', 'many')).toMatchObject({ code: 2 });
    expect((await run('list', '--app', 'nothing')).code).not.toBe(0);
  });

  it('show: counts, row errors, and what the file said', async () => {
    const shown = await run('show', ids[1] ?? '');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`before it  ${ids[0]}`);
    expect(shown.stdout).toMatch(/grants +1 +0 +1 +2/);
    expect(shown.stdout).toMatch(/file +CSV, 2 rows, SHA-256 [0-9a-f]{64}\n/);
    const [refused] = await json('list', '--failed');
    expect((await run('show', refused.id)).stdout).toContain('line 2, account: must not be empty');
    const long = `${grantsHeader}\n${'x'.repeat(200_000)}`;
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Other', long);
    const [unread] = await json('list', '--failed');
    const { stdout } = await run('show', unread.id);
    expect(stdout).toContain('not read to its end');
    expect(stdout).toMatch(/error +Nothing was imported: line 2: the row is longer than 65536 bytes/);
    expect(await json('show', ids[0] ?? '', '--grants')).toHaveLength(2);
    expect((await run('show', ids[0] ?? '', '--grants')).stdout).toMatch(/bob +role +wiki +read/);
    expect((await run('show', '000000000000000000000000000')).code).not.toBe(0);
  });

  it('diff: with the one before, and in the other direction', async () => {
    const { stdout } = await run('diff', ids[1] ?? '');
    expect(stdout).toContain(`from ${ids[0]} to ${ids[1]}: 1 added, 0 changed, 1 removed`);
    expect(stdout).toMatch(/^\+ +ann +role +wiki +write/m);
    expect(stdout).toMatch(/^- +bob +role +wiki +read/m);
    const back = await json('diff', ids[0] ?? '', ids[1] ?? '');
    expect(back).toMatchObject({ fromId: ids[1], counts: { added: '1', removed: '1' } });
    expect((await run('diff', ids[0] ?? '')).stdout).toContain('from nothing');
  });

  it('says of people how many records of the file are disputed, and where to answer', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'disputed-'));
    const importPeople = async (source: string, ...rows: string[]): Promise<string> => {
      const file = join(directory, `${source}.csv`);
      writeFileSync(file, ['email,display_name,employee_id', ...rows].join('\n'));
      return (await runInProcess(['import', 'people', file, '--source', source], { env })).stdout;
    };
    expect(await importPeople('Staff', 'amy@d.test,Amy,d1', 'bea@d.test,Bea,d2')).not.toContain('disputed');
    expect(await importPeople('Payroll', 'bea@d.test,Amy,d1')).toContain(
      '0 unchanged, 1 disputed\nDisputed rows stand for nobody until you say who they are: countersign identity disputed\n',
    );
    const [last] = JSON.parse((await run('list', '--json')).stdout);
    const shown = (await run('show', last.id)).stdout;
    expect(shown).toMatch(/KIND +ADDED +CHANGED +REMOVED +IN THE FILE +DISPUTED\n(?:.*\n)*people +0 +0 +0 +1 +1\n/);
    expect(shown).toMatch(/line 2, email: "Amy", "bea@d\.test": .*\(Amy amy@d\.test, Bea bea@d\.test\)/);
    expect((await runInProcess(['source', 'list'], { env })).stdout).toMatch(/ people +Payroll .* 1\n/);
    // A former name and address, and who has the address now.
    const rename = async (...rows: string[]): Promise<string> => importPeople('Staff', ...rows);
    await rename('amy.new@d.test,Amy New,d1', 'bea@d.test,Bea,d2');
    await rename('amy.new@d.test,Amy New,d1', 'bea@d.test,Bea,d2', 'amy@d.test,Amelia,d4');
    const show = (await runInProcess(['user', 'show', 'amy.new@d.test'], { env })).stdout;
    expect(show).toMatch(/^id +\w{27}\nname +Amy New\n/);
    expect(show).toMatch(/address +amy@d\.test +\S+Z +\S+Z\n/);
    expect(show).toMatch(/name +Amy +\S+Z +\S+Z\n/);
    expect(show).toMatch(/ALSO OF +ADDRESS +FROM +UNTIL\nAmelia +amy@d\.test +\S+Z +now\n/);
    expect(show).toMatch(/SOURCE +ANCHOR +STATE +SINCE +GONE\nStaff +d1 +live /);
    rmSync(directory, { recursive: true });
  });
});
