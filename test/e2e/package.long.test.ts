/**
 * The package, as `npm pack` makes it and somebody installs it: plain JavaScript that runs from anywhere with its dependencies alone. They are
 * those of the clone, linked; .ci/run installs the package with npm.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeContract } from '../../src/app.ts';
import { folderOfData } from '../../src/lib/installation.ts';
import { openTestDatabase } from '../support/database.ts';

const clone = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { version: string };
let folder: string;
let installed: string;
let shipped: string[];

/** Puts the package's dependencies beside it, and nothing that only development needs. */
function linkDependencies(): void {
  const lock = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> };
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const isNested = path.split('node_modules/').length > 2;
    if (path !== '' && dev !== true && !isNested && existsSync(join(clone, path))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(clone, path), join(folder, path));
    }
  }
}

/** The program as installed, in a folder that is not its own. */
function run(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, 'bin/countersign.js'), ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cs-package-'));
  installed = join(folder, 'node_modules/@countersign/server');
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: clone, encoding: 'utf8' });
  expect([packed.status, packed.stderr]).toEqual([0, expect.not.stringContaining('rror')]);
  linkDependencies();
  mkdirSync(installed, { recursive: true });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(spawnSync('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed]).status).toBe(0);
  shipped = readdirSync(installed, { recursive: true, encoding: 'utf8' });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('holds what the program reads, and neither sources nor tests', () => {
    const wanted = [
      'dist/db/migrations/0001_foundation.sql',
      'dist/http/browser/start.html',
      'dist/openapi.json',
      'LICENSE',
      'README.md',
      'console/dist/index.html',
    ];
    const protos = ['proto/countersign/v1/review.proto', 'dist/gen/countersign/v1/review_pb.js', 'dist/cli/main.js.map'];
    expect(shipped).toEqual(expect.arrayContaining([...wanted, ...protos]));
    expect(shipped.filter((path) => /\.ts$|\.test\.|^(?:src|test|scripts|bench|data)\b|\.tgz$/.test(path))).toEqual([]);
  });

  it('cannot be published by accident, and belongs to a scope', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: expect.stringMatching(/^@countersign\//), private: true, engines: { node: '>=24' } });
  });

  it('describes in openapi.json what the server answers', () => {
    expect(readFileSync(join(installed, 'dist/openapi.json'), 'utf8')).toBe(describeContract());
  });

  it('runs from elsewhere without a development dependency', () => {
    expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(run(['review', 'list'])).toMatchObject({ status: 2, stderr: expect.stringContaining('an API credential is needed') });
  });

  it('migrates a database and works on it', async () => {
    const test = await openTestDatabase({ empty: true });
    try {
      const made = run(['tenant', 'create', 'package.example.com', '--admin-email', 'a@example.com', '--database-url', test.url]);
      expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('secret-token:') });
      expect(run(['tenant', 'list', '--database-url', test.url]).stdout).toContain('package.example.com');
    } finally {
      await test.close();
    }
  });

  it('names the lines of the sources in stack traces', () => {
    // What is wrong with the configuration is found before anything is opened.
    const config = JSON.stringify({ logSecretFile: join(folder, 'missing') });
    const program = `await import(${JSON.stringify(join(installed, 'dist/app.js'))}).then(({ startApp }) => startApp(${config}, {}));`;
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(stderr).toMatch(/at .*\/src\/app\.ts:\d+:\d+/);
  });

  it('says in one sentence which Node it needs', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.19.0' });`;
    const preload = `data:text/javascript,${encodeURIComponent(old)}`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', preload, join(installed, 'bin/countersign.js'), 'serve'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, 'countersign: this program needs Node 24 or later, and this is Node 20.19.0; install Node 24\n']);
  });

  it('keeps data outside its own folder, which an upgrade replaces', () => {
    expect(folderOfData({}, 0)).toBe('/var/lib/countersign');
    expect(folderOfData({ HOME: '/home/somebody' }, 1000)).toBe('/home/somebody/.local/share/countersign');
    expect(folderOfData({ HOME: '/home/somebody', XDG_DATA_HOME: '/data' }, 1000)).toBe('/data/countersign');
  });
});
