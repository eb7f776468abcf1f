/** Merging and splitting people from the command line: what would be done is said first, and then done. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { connectScim } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let env: Record<string, string>;
const run = (...args: string[]): Promise<CommandResult> => runInProcess(args, { env });

beforeAll(async () => {
  server = await useTestServer();
  env = environmentFor(server.url, server.admin.credential);
  await sendFile(
    server,
    server.admin,
    '/api/v1/imports/people',
    'email,display_name,employee_id\nold@x.example,Old Ann,7\nnew@x.example,Ann,8\n',
  );
  await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', 'account,email,entitlement\nann-old,old@x.example,Read\n');
});
afterAll(() => server.stop());

it('merges two, after saying what that would do', async () => {
  const preview = await run('identity', 'merge', 'old@x.example', 'new@x.example', '--dry-run');
  expect(preview).toMatchObject({ code: 0, stderr: '' });
  expect(preview.stdout.split('\n')).toEqual([
    'Nothing is changed. Merging Old Ann into Ann would do this:',
    "  becomes Ann's: 1 record (people: 7)",
    "  becomes Ann's: 1 account (Wiki: ann-old)",
    '',
  ]);
  expect((await run('account', 'list', '--app', 'Wiki')).stdout).toContain('old@x.example');
  expect((await run('identity', 'merge', 'old@x.example', 'new@x.example')).stdout).toMatch(/^Old Ann was merged into Ann\.\n/);
  expect((await run('identity', 'records', '--user', 'new@x.example')).stdout).toMatch(/employee_id 7/);
  expect(await run('identity', 'merge', 'old@x.example', 'new@x.example')).toMatchObject({ code: 1 });
});

it('splits one by its records', async () => {
  const { addUser } = await connectScim(server, 'Directory');
  const emails = [{ value: 'yva@x.example' }];
  await addUser('yva', { emails, displayName: 'Yva' });
  await addUser('adm-yva', { emails, displayName: 'Second Yva' });
  const records = JSON.parse((await run('identity', 'records', '--user', 'yva@x.example', '--json')).stdout);
  const { id } = records.find(({ username }: { username: string }) => username === 'adm-yva');
  const preview = await run('identity', 'split', 'yva@x.example', '--records', id, '--dry-run');
  expect(preview.stdout.split('\n')).toEqual([
    'Nothing is changed. A new person would be made:',
    "  becomes the new person's: 1 record (Second Yva)",
    "  becomes the new person's: 1 account (Directory: adm-yva)",
    '',
  ]);
  expect((await run('identity', 'split', 'yva@x.example', '--records', id)).stdout).toMatch(/^A new person was made: \w{27}\.\n/);
  expect((await run('user', 'list')).stdout).toContain('Second Yva');
  expect(await run('identity', 'split', 'yva@x.example', '--records', ',')).toMatchObject({ code: 2 });
});
