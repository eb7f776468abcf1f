/**
 * Cost of a command before it does anything: it loads its own group and nothing of the service, and what was compiled once is kept beside the
 * packages for the next command. What that amounts to in milliseconds is in docs/performance.md.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandGroups } from '../../src/cli/groups.ts';
import { addGroup } from '../../src/cli/program.ts';
import type { CommandIo } from '../../src/cli/frame/io.ts';
import { runInProcess } from '../support/command-line.ts';

const clone = join(import.meta.dirname, '../..');
const cache = join(clone, 'node_modules/.cache/countersign');
const main = join(clone, 'src/cli/main.ts');
const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { version: string };

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

/** The modules that a command loads, as paths in the clone; what Node brings itself is left out. */
function modulesOf(args: readonly string[]): string[] {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { process._rawDebug('loads ' + url); return next(url, context); } });`;
  const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', preload, main, ...args], { encoding: 'utf8' });
  return [...stderr.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = '']) => decodeURIComponent(path).replace(`${clone}/`, ''));
}

/** Files only the service needs. */
const ofTheService = /^src\/(?:app|reactions|db|domains|http|jobs)\b|node_modules\/(?:pg|fastify|pino|prom-client|saxes|yauzl)\//;
/** These are the service, or work on its database. */
const local = ['serve', 'demo', 'migrate', 'backup', 'restore', 'tenant'];

/** Groups that stand in the file of another. */
const together: Readonly<Record<string, string>> = { entitlement: 'app', logout: 'login' };
const isFileOf = (name: string, path: string): boolean => path.startsWith('src/cli/') && path.endsWith(`/${together[name] ?? name}.ts`);

describe('a command', () => {
  it('loads its own group, and no part of the service', () => {
    const remote = commandGroups.filter(({ name }) => !local.includes(name));
    expect(remote.length).toBeGreaterThan(12);
    for (const { name } of remote) {
      const loaded = modulesOf([name, '--help']);
      expect([name, loaded.filter((path) => isFileOf(name, path))]).toEqual([name, [expect.any(String)]]);
      expect([name, loaded.filter((path) => ofTheService.test(path))]).toEqual([name, []]);
    }
  });

  it('that only shows the help loads neither a group nor the contract', () => {
    const loaded = modulesOf(['--help']);
    expect(loaded).toContain('src/cli/groups.ts');
    expect(loaded.filter((path) => /^src\/(?:gen|client\/index)|@bufbuild/.test(path))).toEqual([]);
    expect(loaded.filter((path) => commandGroups.some(({ name }) => isFileOf(name, path)))).toEqual([]);
  });

  it('is outlined in the help of the program as its own file describes it', async () => {
    const { stdout } = await runInProcess(['--help']);
    const program = new Command('countersign');
    const io: CommandIo = {
      env: {},
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      signal: new AbortController().signal,
    };
    for (const group of commandGroups) {
      await addGroup(program, group, io);
    }
    const listOf = (help: string): string => help.slice(help.indexOf('\nCommands:\n'));
    expect(listOf(stdout)).toBe(listOf(program.helpInformation()));
  });

  it('leaves what it compiled for the next one', () => {
    const { status, stdout } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${version}\n`]);
    expect(entriesOf(cache).length).toBeGreaterThan(10);
  });

  it('does as well without: where the cache is turned off, and where it is elsewhere', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cs-cache-'));
    for (const env of [{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_COMPILE_CACHE: folder }]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, '--version'], {
        encoding: 'utf8',
        env: { ...process.env, ...env },
      });
      expect([status, stdout, stderr]).toEqual([0, `${version}\n`, '']);
    }
    expect(entriesOf(folder).length).toBeGreaterThan(10);
    rmSync(folder, { recursive: true, force: true });
  });
});
