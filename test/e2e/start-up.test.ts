/** What a command costs before it does anything: the program is compiled once, and kept beside the packages for the next command. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const clone = join(import.meta.dirname, '../..');
const cache = join(clone, 'node_modules/.cache/countersign');
const main = join(clone, 'src/cli/main.ts');

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

describe('a command', () => {
  it('leaves what it compiled for the next one', () => {
    const { status, stdout } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '0.1.0\n']);
    // Every file of the program and of the packages it loads.
    expect(entriesOf(cache).length).toBeGreaterThan(300);
  });

  it('does as well without: where the cache is turned off, and where it is elsewhere', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cs-cache-'));
    for (const env of [{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_COMPILE_CACHE: folder }]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, '--version'], {
        encoding: 'utf8',
        env: { ...process.env, ...env },
      });
      expect([status, stdout, stderr]).toEqual([0, '0.1.0\n', '']);
    }
    expect(entriesOf(folder).length).toBeGreaterThan(300);
    rmSync(folder, { recursive: true, force: true });
  });
});
