/** `countersign policy` against a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const document = {
  displayName: 'Machines apart',
  policyType: 'POLICY_TYPE_CERTIFY',
  rules: [{ condition: 'account.appUserType == AppUserType.SERVICE_ACCOUNT', stepKey: 'machines' }],
  policySteps: {
    machines: { steps: [{ approval: { appOwners: {} } }] },
    certify: { steps: [{ approval: { manager: {} } }, { approval: { appOwners: {} } }] },
  },
};

describe('policy', () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), 'countersign-policies-'));
  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });
  const run = (...args: string[]) => runInProcess(['policy', ...args], { env: environmentFor(server.url, server.admin.credential) });
  const fileOf = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  it('create, list, show, update and delete', async () => {
    const made = await run('create', fileOf('new.json', document), '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { id } = JSON.parse(made.stdout);
    const listed = await run('list');
    expect(listed.stdout).toMatch(new RegExp(`${id} +certify +1 +Machines apart\n`));
    expect(listed.stdout).toContain('(starting policy)');
    expect(JSON.parse((await run('list', '--json')).stdout)).toHaveLength(2);
    const shown = await run('show', id);
    expect(shown.stdout.split('\n')).toEqual([
      'name       Machines apart',
      'type       certify',
      'rule 1     account.appUserType == AppUserType.SERVICE_ACCOUNT -> the steps "machines"',
      `steps "certify"  1. asks the person's manager`,
      '                 2. asks the owners of the app',
      'steps "machines"  1. asks the owners of the app',
      '',
    ]);

    const whole = JSON.parse((await run('show', id, '--json')).stdout);
    const changed = await run('update', id, fileOf('all.json', { ...whole, displayName: 'Machines' }));
    expect(changed).toMatchObject({ code: 0, stdout: `${id}  Machines\n` });
    const part = await run('update', id, fileOf('part.json', { description: 'Robots have no manager.' }), '--json');
    expect(JSON.parse(part.stdout)).toMatchObject({ ...document, displayName: 'Machines', description: 'Robots have no manager.' });

    expect(await run('delete', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect((await run('delete', id, '--yes')).stdout).toBe(`${id} is deleted\n`);
    expect(await run('show', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('no such policy') });
  });

  it('test says in sentences whom it would ask, and why', async () => {
    const sent = async (path: string, csv: string): Promise<void> => {
      const headers = { authorization: `Bearer ${await tokenOf(server, server.admin)}`, 'content-type': 'text/csv' };
      expect((await server.fetch(path, { method: 'POST', headers, body: csv })).status).toBe(200);
    };
    await sent(
      '/api/v1/imports/people',
      'email,display_name,employment_status,manager_email\nann@corp.test,Ann,ACTIVE,max@corp.test\nmax@corp.test,Max,ACTIVE,',
    );
    await sent(
      '/api/v1/imports/grants?app=P',
      'account,email,account_type,resource_type,resource,entitlement\na1,ann@corp.test,USER,role,R,pay\ns1,,SERVICE_ACCOUNT,role,R,pay',
    );
    const { id } = JSON.parse((await run('create', fileOf('tested.json', document), '--json')).stdout);
    const item = ['test', id, '--app', 'P', '--entitlement', 'R pay'];
    const person = await run(...item, '--person', 'ann@corp.test');
    const rule = 'Rule 1 of Machines apart (account.appUserType == AppUserType.SERVICE_ACCOUNT)';
    const lines = [
      `${rule} does not match.`,
      'The steps "certify" of Machines apart apply, by its baseline.',
      "Step 1 asks the person's manager: Max <max@corp.test>.",
      'Step 2 asks the owners of the review, or Super Administrators if none of them may be asked.',
      '  Nobody who may be asked was found among the owners of the app.',
    ];
    expect(person).toMatchObject({ code: 0, stderr: '', stdout: `${lines.join('\n')}\n` });
    const machine = await run(...item, '--account', 's1');
    expect(machine.stdout).toContain(`${rule} matches.\nThe steps "machines" of Machines apart apply, by the rule that matches.\n`);
    expect(machine.stdout).toContain('Nobody owns the account.');
    expect(JSON.parse((await run(...item, '--account', 's1', '--json')).stdout)).toMatchObject({ stepKey: 'machines', userId: '' });
    expect((await run(...item)).code).toBe(2);
  });

  it('says what is wrong with a file', async () => {
    expect((await run('create', fileOf('list.json', []))).code).toBe(2);
    const refused = await run('create', fileOf('wrong.json', { ...document, rules: [{ condition: 'nonsense', stepKey: 'certify' }] }));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('rules[0].condition') });
  });
});
