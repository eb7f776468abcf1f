/** `countersign source`: where people and grants come from, as the command line shows and changes it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { grantsHeader } from '../support/inventory.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = 'email,display_name,manager_email,department,job_title,employment_status,username\nann@x.example,Ann,,,,ACTIVE,ann';
const file = (...accounts: string[]): string =>
  [grantsHeader, ...accounts.map((account) => `${account},,USER,ENABLED,role,wiki,read,,`)].join('\n');

describe('source', () => {
  let server: TestServer;
  let env: Record<string, string>;
  let id: string;
  let peopleId: string;
  const run = (...args: string[]): Promise<CommandResult> => runInProcess(['source', ...args], { env });
  const send = (path: string, text: string) => sendFile(server, server.admin, `/api/v1/imports/${path}`, text);

  beforeAll(async () => {
    server = await useTestServer();
    env = environmentFor(server.url, server.admin.credential);
    peopleId = (await send('people', people)).body.import.connectorId;
    id = (await send('grants?app=Wiki&source=Export', file('ann', 'bob'))).body.import.connectorId;
  });
  afterAll(() => server.stop());

  it('list: those of people and of apps, with what guards them and how they match', async () => {
    const { code, stdout, stderr } = await run('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading?.split(/ +/)).toEqual(['ID', 'OF', 'SOURCE', 'KIND', 'STATE', 'GUARD', 'MATCHES', 'BY', 'DISPUTED']);
    expect(rows).toEqual([
      expect.stringMatching(new RegExp(`^${peopleId} +people +people +files +on +20 %$`)),
      expect.stringMatching(new RegExp(`^${id} +Wiki +Export +files +on +20 % +email, employee-id, username$`)),
    ]);
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject([{ id: peopleId, appId: '' }, { id }]);
  });

  it('sync list names the source beside the app', async () => {
    const { stdout } = await runInProcess(['sync', 'list'], { env });
    expect(stdout).toMatch(/ Wiki +Export +done /);
    expect(stdout).toMatch(/ people +people +done /);
  });

  it('set: the share a file may take away, which holds from the next file on', async () => {
    expect((await send('grants?app=Wiki&source=Export', file('ann'))).status).toBe(400);
    expect(await run('set', id, '--removal-share', '50')).toMatchObject({
      code: 0,
      stdout: 'A file that removes more than 50 % is refused.\n',
    });
    expect((await send('grants?app=Wiki&source=Export', file('ann'))).body).toMatchObject({ import: { removed: '1' } });
    expect(JSON.parse((await run('set', peopleId, '--removal-share', '0', '--json')).stdout)).toMatchObject({
      id: peopleId,
      removalShare: 0,
    });
  });

  it('set: the order of matching, at once', async () => {
    expect((await run('set', id, '--match', 'EMAIL')).stdout).toBe('Accounts whose owner changed: 1.\n');
    expect((await run('set', id, '--match', ' username, employee_id ')).stdout).toBe('Accounts whose owner changed: 1.\n');
    expect(JSON.parse((await run('list', '--json')).stdout)[1].matchOrder).toEqual(['USERNAME', 'EMPLOYEE_ID']);
  });

  it('pause and resume: files are refused in between', async () => {
    expect(await run('pause', id)).toMatchObject({ code: 0, stdout: 'Export is paused.\n' });
    expect((await run('list')).stdout).toMatch(/ Export +files +paused /);
    expect((await send('grants?app=Wiki&source=Export', file('ann'))).status).toBe(400);
    expect(JSON.parse((await run('resume', id, '--json')).stdout)).not.toHaveProperty('pausedAt');
    expect((await send('grants?app=Wiki&source=Export', file('ann'))).status).toBe(200);
  });

  it('import --show-mapping says which options are still to be given, and what stands in all rows', async () => {
    const shown = await runInProcess(['import', 'grants', '-', '--app', 'Shop', '--show-mapping'], {
      env,
      stdin: 'Login,Mail,Colour\ntom,,Cashier\n',
    });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('nothing found for: entitlement\n');
    expect(shown.stdout).toContain('and --map entitlement=COLUMN, or --map entitlement==TEXT for a text in all rows');
    const whole = await runInProcess(['import', 'grants', '-', '--app', 'Shop', '--show-mapping'], {
      env,
      stdin: 'Login,Mail,Role\ntom,,Cashier\n',
    });
    expect(whole.stdout).toMatch(/The same in all rows, because nothing in the file says it: .*resource "Shop"/);
  });

  it('says what cannot be: 2 for wrong usage, 1 for what the server refuses', async () => {
    expect(await run('set', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to set') });
    expect(await run('set', id, '--removal-share', 'half')).toMatchObject({ code: 2 });
    expect(await run('set', id, '--removal-share', '')).toMatchObject({ code: 2 });
    expect(await run('set', id, '--match', 'shoe-size')).toMatchObject({ code: 2, stderr: expect.stringContaining('no rule "shoe-size"') });
    expect(await run('set', id, '--removal-share', '101')).toMatchObject({ code: 1, stderr: expect.stringContaining('0 to 100') });
    expect(await run('set', id, '--match', 'email,email')).toMatchObject({ code: 1, stderr: expect.stringContaining('twice') });
    expect(await run('pause', peopleId)).toMatchObject({ code: 1, stderr: expect.stringContaining('a source of people') });
    expect(await run('pause', '000000000000000000000000000')).toMatchObject({ code: 1 });
  });
});
