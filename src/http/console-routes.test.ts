/** The console as it was built, read from its folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../context.ts';
import { readConsole } from './console-routes.ts';

it('a console that was not built is warned of, with the command that builds it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cs-console-'));
  const warned: string[] = [];
  const log = { ...silentLogger, warn: (_fields: object, message?: string) => void warned.push(message ?? '') };
  try {
    expect(readConsole(folder, log)).toBeUndefined();
    expect(warned).toEqual([expect.stringContaining('npm ci')]);
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    expect(readConsole(folder, log)?.page.plain.toString()).toBe('<!doctype html>');
    expect(warned).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
