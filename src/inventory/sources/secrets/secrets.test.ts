/** Secrets of sources: sealed so that the database alone opens nothing, bound to their source, gone when it leads elsewhere. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { type Context, silentLogger } from '../../../context.ts';
import { openDatabase, type OpenOptions } from '../../../db/open.ts';
import type { Database, Keyring } from '../../../db/types.ts';
import { createApp } from '../../catalog/apps/create-app.ts';
import { readInstallationKey } from '../../../foundation/tenants/index.ts';
import { keyringOfCommand, keyringOfSecrets } from '../../../foundation/tenants/keyring.ts';
import { removeSecret, setSecret } from '../change-secrets.ts';
import { changeSource, createSource, deleteSource } from '../change-source.ts';
import { requireSource } from '../require.ts';
import { openSecrets } from './index.ts';

const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];
const nowhere = { file: undefined, text: undefined, command: undefined };
const value = 'correct horse battery staple';
const opened: Database[] = [];
let test: TwoTenants;
let folder: string;
let appId: string;

/** The tenant as a process that was started with these options sees it. */
async function startWith(options: Pick<OpenOptions, 'keyring' | 'secretsDir'>): Promise<Context> {
  const database = await openDatabase({ databaseUrl: test.url, poolSize: 1, log: silentLogger, ...options });
  opened.push(database);
  const { admin } = test.ours;
  return { ...admin, db: database.tenant(admin.tenantId) };
}

const make = (context: Context, config?: Record<string, string>) => createSource(context, appId, config === undefined ? {} : { config });
const plain = (name: string, text = value) => ({ name, value: text, fromFile: '' });
const file = (name: string, fromFile: string) => ({ name, value: '', fromFile });

let context: Context;
beforeAll(async () => {
  test = await useTwoTenants();
  folder = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  context = await startWith({ keyring: keyringOfSecrets([first]), secretsDir: folder });
  appId = (await createApp(context, { displayName: 'Secretive' }, [])).id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(opened.map((database) => database.close()));
  await test.close();
});

describe('a secret of a source', () => {
  it('is opened for the fetcher, and neither answered nor in an event nor readable in the database', async () => {
    const { id } = await make(context);
    const row = await setSecret(context, id, plain('password'));
    expect(row.secretsSet).toEqual(['password']);
    expect(JSON.stringify(row)).not.toContain(value);
    expect(await openSecrets(context, id)).toEqual({ password: value });
    for (const table of ['source_secrets', 'tenant_keys', 'events', 'sources']) {
      const rows = await test.admin(`SELECT t::text FROM ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${value}|${Buffer.from(value).toString('base64url')}`));
    }
    const events = await context.db.rows<{ kind: string; data: object }>(
      'SELECT kind, data FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id DESC LIMIT 1',
      [context.tenantId, id],
    );
    expect(events).toMatchObject([{ kind: 'connector.secret_set', data: { name: 'password', fromFile: '' } }]);
  });

  it('is replaced and removed, and goes with its source', async () => {
    const { id } = await make(context);
    await setSecret(context, id, plain('a'));
    await setSecret(context, id, plain('a', 'another'));
    await setSecret(context, id, plain('b'));
    expect(await openSecrets(context, id)).toEqual({ a: 'another', b: value });
    expect((await removeSecret(context, id, 'a')).secretsSet).toEqual(['b']);
    await expect(removeSecret(context, id, 'a')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await deleteSource(context, appId, id);
    expect(await openSecrets(context, id)).toEqual({});
    await expect(setSecret(context, id, plain('a'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(setSecret(test.theirs.admin, id, plain('a'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[string, Parameters<typeof setSecret>[2], string[]]>([
    ['a name with a slash', plain('a/b'), ['name']],
    ['no name', plain(''), ['name']],
    ['neither value nor file', plain('a', ''), ['value']],
    ['both', { name: 'a', value, fromFile: 'x' }, ['value']],
    ['one that is too long', plain('a', 'x'.repeat(16_385)), ['value']],
    ['a file elsewhere', file('a', '../x'), ['fromFile']],
    ['a hidden file', file('a', '.x'), ['fromFile']],
  ])('is refused: %s', async (_, secret, fields) => {
    const { id } = await make(context);
    const problem = await Promise.resolve()
      .then(() => setSecret(context, id, secret))
      .catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: 'INVALID_ARGUMENT', violations: fields.map((field) => ({ field })) });
    expect(JSON.stringify(problem)).not.toContain(value);
  });

  it('has at most 19 others', async () => {
    const { id } = await make(context);
    for (let count = 1; count <= 20; count++) {
      await setSecret(context, id, file(`s${count}`, 'x'));
    }
    await expect(setSecret(context, id, file('s21', 'x'))).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await setSecret(context, id, file('s20', 'y'));
  });

  it('opens in no other source', async () => {
    const [one, two] = [await make(context), await make(context)];
    await setSecret(context, one.id, plain('password'));
    await setSecret(context, two.id, plain('password', 'another'));
    await context.db.run(
      `UPDATE source_secrets t SET sealed = o.sealed FROM source_secrets o
       WHERE t.tenant_id = $1 AND t.source_id = $2 AND o.tenant_id = $1 AND o.source_id = $3`,
      [context.tenantId, two.id, one.id],
    );
    await expect(openSecrets(context, two.id)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it.each<[boolean, Record<string, string>, Record<string, string>]>([
    [false, { host: 'db.example', port: '5432' }, { host: 'evil.example', port: '5432' }],
    [false, { host: 'db.example', port: '5432' }, { host: 'db.example', port: '5433' }],
    [false, { url: 'https://a.example/x' }, { url: 'http://a.example/x' }],
    [false, { url: 'https://a.example' }, { url: 'https://a.example.evil.example' }],
    [false, { url: 'https://a.example' }, { other: 'x' }],
    [true, { url: 'https://a.example/x?y' }, { url: 'https://A.example/z' }],
    [true, { host: 'db.example', query: 'SELECT 1' }, { host: 'db.example', query: 'SELECT 2' }],
  ])('stays: %s, when settings change: %#', async (stays, before, after) => {
    const { id } = await make(context, before);
    await setSecret(context, id, plain('password'));
    await changeSource(context, appId, id, { config: after }, ['config']);
    expect((await requireSource(context, id)).secretsSet).toEqual(stays ? ['password'] : []);
  });
});

describe('the key of the installation', () => {
  it('is needed to seal, and to open what it sealed', async () => {
    const { id } = await make(context);
    await setSecret(context, id, plain('password'));
    const [none, foreign, rotated] = await Promise.all([
      startWith({}),
      startWith({ keyring: keyringOfSecrets([second]) }),
      startWith({ keyring: keyringOfSecrets([second, first]) }),
    ]);
    for (const [other, said] of [
      [none, /--key-file/],
      [foreign, /another key/],
    ] as const) {
      const refused = { code: 'FAILED_PRECONDITION', message: expect.stringMatching(said) };
      await expect(setSecret(other, id, plain('more'))).rejects.toMatchObject(refused);
      await expect(openSecrets(other, id)).rejects.toMatchObject(refused);
    }
    expect(await openSecrets(rotated, id)).toEqual({ password: value });
  });

  it('may be a command', async () => {
    const script = join(folder, 'kms');
    writeFileSync(script, `#!/bin/sh\ncase $1 in wrap|unwrap) tr 'A-Za-z' 'N-ZA-Mn-za-m' ;; *) exit 3 ;; esac\n`, { mode: 0o700 });
    const keyring = keyringOfCommand(script);
    const wrapped = { kekId: keyring.kekId, wrapped: await keyring.wrap('ours 1', first) };
    expect(wrapped.wrapped).not.toContain(first.toString('base64'));
    expect(await keyring.unwrap('ours 1', wrapped)).toEqual(first);
    expect(await keyring.unwrap('theirs 1', wrapped)).toBeUndefined();
    await expect(keyringOfCommand('exit 7; :').wrap('ours 1', first)).rejects.toThrow('exit code 7');
    await expect(keyringOfCommand('true').wrap('ours 1', first)).rejects.toThrow('answered nothing');
  });

  it('is read from a file or a text, and its place said where it is wrong', async () => {
    const isSame = async (keyring: Keyring | undefined) => keyring?.kekId === keyringOfSecrets([first]).kekId;
    writeFileSync(join(folder, 'key'), first);
    expect(await isSame(await readInstallationKey({ ...nowhere, file: join(folder, 'key') }))).toBe(true);
    expect(await isSame(await readInstallationKey({ ...nowhere, text: `${first.toString('hex')}\n${second.toString('hex')}` }))).toBe(true);
    expect(await readInstallationKey({ ...nowhere })).toBeUndefined();
    await expect(readInstallationKey({ ...nowhere, text: 'short' })).rejects.toMatchObject({
      message: expect.stringContaining('--key-env'),
    });
    await expect(readInstallationKey({ ...nowhere, file: join(folder, 'none') })).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });
});

describe('a secret in a file of the server', () => {
  it('is read at each use below the folder of the host alone', async () => {
    const { id } = await make(context);
    const host = join(folder, test.ours.tenant.host);
    mkdirSync(join(host, '..data'), { recursive: true });
    mkdirSync(join(host, 'sub'));
    writeFileSync(join(host, '..data', 'password'), `${value}\n`);
    symlinkSync('..data/password', join(host, 'password'));
    writeFileSync(join(folder, 'outside'), 'outside');
    symlinkSync('../outside', join(host, 'leads-out'));
    writeFileSync(join(host, 'large'), 'x'.repeat(20_000));
    writeFileSync(join(host, 'empty'), '\n');
    await setSecret(await startWith({}), id, file('password', 'password'));
    expect(await openSecrets(context, id)).toEqual({ password: value });
    writeFileSync(join(host, '..data', 'password'), 'newer');
    expect(await openSecrets(context, id)).toEqual({ password: 'newer' });
    for (const [name, reason] of [
      ['leads-out', 'leads out'],
      ['none', 'no such file'],
      ['sub', 'no such file'],
      ['large', 'more than'],
      ['empty', 'is empty'],
    ] as const) {
      await setSecret(context, id, file('password', name));
      await expect(openSecrets(context, id)).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        message: expect.stringContaining(reason),
      });
    }
    await expect(openSecrets(await startWith({}), id)).rejects.toMatchObject({ message: expect.stringContaining('--secrets-dir') });
  });
});
