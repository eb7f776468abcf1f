/** The file of a runner: each rule with the path that breaks it, and the checks on the disk. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFiles } from './check-files.ts';
import { readRunnerConfig, type RunnerConfig } from './config.ts';
import { isRefusedArgument, isRefusedVariable } from './refused.ts';

const good = {
  mode: 'once',
  binary: '/usr/local/bin/baton-github',
  clientId: 'brave-otter-12345678@access.example.com/ccc',
  clientSecretFile: '/etc/countersign/secret',
  folder: '/var/lib/countersign-connector',
};
const pathsOf = (more: object): string[] => readRunnerConfig({ ...good, ...more }).violations.map(({ field }) => field);

describe('readRunnerConfig', () => {
  it('takes what is right, and fills in the rest', () => {
    expect(readRunnerConfig(good).config).toMatchObject({
      args: [],
      env: {},
      url: 'https://access.example.com',
      connectorUrl: 'https://access.example.com',
      limits: { milliseconds: 21_600_000, residentBytes: 2 * 1024 ** 3, fileBytes: 4 * 1024 ** 3 },
    });
    expect(pathsOf({ url: 'http://127.0.0.1:8080', connectorUrl: 'http://[::1]:9443', limits: { minutes: 10 } })).toEqual([]);
    expect(pathsOf({ mode: 'service', folder: undefined, clientId: 'a@h:9443/ccc' })).toEqual([]);
  });

  it.each([
    [{ mode: 'often' }, 'mode'],
    [{ binary: 'baton' }, 'binary'],
    [{ args: '-v' }, 'args'],
    [{ args: ['--ok', 5] }, 'args[1]'],
    [{ args: ['--client-secret=x'] }, 'args[0]'],
    [{ env: ['A'] }, 'env'],
    [{ env: { 'A-B': 'x' } }, 'env.A-B'],
    [{ env: { BATON_FILE: 'x' } }, 'env.BATON_FILE'],
    [{ env: { A: 5 } }, 'env.A'],
    [{ envFiles: ['a.env'] }, 'envFiles[0]'],
    [{ clientId: 'brave-otter@access.example.com/pcc' }, 'clientId'],
    [{ clientSecretFile: 'secret' }, 'clientSecretFile'],
    [{ url: 'https://access.example.com/api' }, 'url'],
    [{ url: 'http://access.example.com' }, 'url'],
    [{ connectorUrl: 'ftp://access.example.com' }, 'connectorUrl'],
    [{ mode: 'service', connectorUrl: 'https://other.example' }, 'connectorUrl'],
    [{ ca: 'ca.pem' }, 'ca'],
    [{ folder: undefined }, 'folder'],
    [{ limits: 5 }, 'limits'],
    [{ limits: { minutes: 361 } }, 'limits.minutes'],
    [{ limits: { residentMiB: 0.5 } }, 'limits.residentMiB'],
    [{ limits: { cores: 2 } }, 'limits.cores'],
    [{ binaries: [] }, 'binaries'],
  ])('refuses %j', (more, path) => {
    expect(pathsOf(more)).toEqual([path]);
  });

  it('says all at once, and repeats no value of a variable', () => {
    const { violations } = readRunnerConfig({ env: { BATON_CLIENT_SECRET: 'hush' }, args: ['--client-secret=hush'] });
    expect(violations.map(({ field }) => field)).toEqual([
      'mode',
      'clientId',
      'binary',
      'args[0]',
      'env.BATON_CLIENT_SECRET',
      'clientSecretFile',
      'folder',
    ]);
    expect(JSON.stringify(violations)).not.toContain('hush');
  });
});

describe('what is refused', () => {
  it.each([
    '--file',
    '--file=x',
    '-f',
    '-fx',
    '-vf',
    '-p',
    '--provisioning',
    '--client-id',
    '--Client-Secret=x',
    '--revoke-grant',
    '--grant-entitlement=x',
  ])('is %s', (text) => expect(isRefusedArgument(text)).toBe(true));
  it.each(['--log-level', '-v', '--github-client-id=x', '--files', 'file', '-', '--', '5'])('is not %s', (text) =>
    expect(isRefusedArgument(text)).toBe(false),
  );
  it('is said of variables as well', () => {
    const names = ['BATON_FILE', 'baton_client_id', 'BATON_C1_API_HOST', 'BATON_TOKEN', 'BATON_GITHUB_CLIENT_ID', 'FILE'];
    expect(names.filter(isRefusedVariable)).toEqual(['BATON_FILE', 'baton_client_id', 'BATON_C1_API_HOST']);
  });
});

describe('checkFiles', () => {
  const root = mkdtempSync(join(tmpdir(), 'countersign-files-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const put = (name: string, mode: number, text = ''): string => {
    const path = join(root, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const secret = put('secret', 0o600);
  const own = put('runner.json', 0o644);
  const check = async (more: Partial<RunnerConfig>) => {
    const { config } = readRunnerConfig({ ...good, binary: put('baton', 0o755), clientSecretFile: secret, folder: root });
    return (await checkFiles(own, { ...(config as RunnerConfig), ...more })).map(({ field, description }) => `${field}: ${description}`);
  };

  it('takes files that nobody else may write to, also through a link', async () => {
    expect(await check({})).toEqual([]);
    symlinkSync(put('real', 0o755), join(root, 'link'));
    expect(await check({ binary: join(root, 'link') })).toEqual([]);
  });

  it('names each file that will not do', async () => {
    mkdirSync(join(root, 'open'));
    writeFileSync(join(root, 'open', 'baton'), '', { mode: 0o755 });
    chmodSync(join(root, 'open'), 0o777);
    expect(await check({ binary: put('loose', 0o775) })).toEqual([`binary: must not be writable for others: run chmod go-w ${root}/loose`]);
    expect(await check({ binary: join(root, 'open', 'baton') })).toEqual([
      `binary: must not be writable for others: run chmod go-w ${root}/open`,
    ]);
    expect(await check({ binary: root })).toEqual(['binary: must be a file']);
    expect(await check({ binary: put('plain', 0o644) })).toEqual(['binary: must be a program that may be started']);
    const wrong = await check({
      binary: join(root, 'none'),
      envFiles: [put('loose.env', 0o666)],
      clientSecretFile: join(root, 'none'),
      folder: secret,
    });
    expect(wrong.map((one) => one.split(':')[0])).toEqual(['binary', 'envFiles[0]', 'clientSecretFile', 'folder']);
    expect(await check({ envFiles: [put('own.env', 0o600, 'A=1\nBATON_CLIENT_ID=x\n')] })).toEqual([
      'envFiles[0]: BATON_CLIENT_ID is said by the runner, so it cannot be said here',
    ]);
  });
});
