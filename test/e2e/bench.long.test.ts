/** `npm run bench` with a tiny company: every figure can still be measured, and Ctrl-C in the middle of one leaves nothing behind. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, '../../bench/main.ts');

describe('npm run bench', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cs-bench-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs it to its end; `stopAt` is the progress at which Ctrl-C is pressed. */
  const bench = async (args: readonly string[], stopAt?: string) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (piece: Buffer) => {
      said.out += piece.toString();
    });
    let isStopped = false;
    child.stderr.on('data', (piece: Buffer) => {
      said.err += piece.toString();
      if (!isStopped && stopAt !== undefined && said.err.includes(stopAt)) {
        isStopped = true;
        child.kill('SIGINT');
      }
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, ...said };
  };

  it('says what it can do, and what is wrong with its options', async () => {
    const help = await bench(['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const option of ['--short', '--only', '--rows', '--minutes', '--json', '--markdown']) {
      expect(help.out).toContain(`  ${option} `);
    }
    for (const args of [['--only', 'nothing'], ['--rows', '100'], ['--minutes', '0'], ['--what']]) {
      const refused = await bench(args);
      expect([args, refused.code, refused.out]).toEqual([args, 2, '']);
      expect(refused.err).toContain('Usage: npm run bench');
    }
  });

  it('prints what there was after Ctrl-C in the middle of a figure, and leaves no file and no database', async () => {
    const stopped = await bench(['--rows', '20000', '--json', '--only', 'c1z', '--only', 'import', '--only', 'prepare'], '[3/3] prepare');
    expect([stopped.code, JSON.parse(stopped.out)]).toMatchObject([130, { isInterrupted: true, failed: ['prepare'], unreached: [] }]);
    expect(JSON.parse(stopped.out).figures.map((one: { figure: string }) => one.figure)).toEqual(expect.arrayContaining(['c1z', 'import']));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('measures every figure', { timeout: 20 * 60_000 }, async () => {
    const whole = await bench(['--short', '--json']);
    expect([whole.code, JSON.parse(whole.out)], whole.err).toMatchObject([0, { isInterrupted: false, failures: [], unreached: [] }]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
