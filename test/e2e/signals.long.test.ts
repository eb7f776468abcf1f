/**
 * SIGTERM reaches the server however it was started: by the program of the clone, by npx, by a script of npm. Each is sent to the process that
 * was started, and to no other, as a supervisor does. The server then stops in order: it says so, and nothing listens any more.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';

const clone = join(import.meta.dirname, '../..');
let folder: string;
let test: TestDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cs-signals-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { serve: join(clone, 'countersign serve') } }));
  test = await openTestDatabase({ empty: true });
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

/** True if the server answers that it is ready. */
function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function until(what: string, holds: () => Promise<boolean> | boolean, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await holds()) {
      return;
    }
    await sleep(100);
  }
  throw new Error(`${what} did not happen: ${output()}`);
}

/** Ends whatever is left of the processes that a test started: they are one group. */
function endGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

describe('SIGTERM', () => {
  const ways: readonly [string, string, string[], () => string][] = [
    ['to ./countersign', './countersign', ['serve'], () => clone],
    ['to npx countersign', 'npx', ['--no', 'countersign', 'serve'], () => clone],
    ['to npm run', 'npm', ['run', 'serve', '--'], () => folder],
  ];
  it.each(ways)('%s stops the server in order', async (_name, program, args, cwd) => {
    const port = await freePort();
    const options = ['--port', String(port), '--database-url', test.url, '--bootstrap-file', join(folder, 'first.json')];
    const child = spawn(program, [...args, ...options], {
      cwd: cwd(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter), npm_command: undefined },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        output += piece.toString('utf8');
      });
    }
    try {
      await until(
        'the start',
        () => isReady(port),
        () => output,
      );
      expect(output).not.toContain('"msg":"stopped"');
      child.kill('SIGTERM');
      await until(
        'its orderly end',
        () => output.includes('"msg":"stopped"'),
        () => output,
      );
      expect(await isReady(port)).toBe(false);
    } finally {
      endGroup(child);
    }
  });
});
