/** How the gate counts tests: its second try of files that failed, with a stand-in for npm that writes what vitest would report. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const clone = join(import.meta.dirname, '../..');

/** What one run reports of a file. */
interface FileReport {
  readonly path: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
  readonly leftOut: readonly string[];
}

/** What one run comes to; without `files` it ends before it can report. */
interface Run {
  readonly status: number;
  readonly files?: readonly FileReport[];
  readonly errors?: readonly string[];
}

const fine = (path: string, passed = 3): FileReport => ({ path, passed, failed: 0, skipped: 0, failures: [], leftOut: [] });
const broken = (path: string): FileReport => ({ ...fine(path, 2), failed: 1, failures: ['a button: not there'] });

/** The stand-in for npm: each call is the next run, and its arguments are kept. */
const standIn = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const calls = __dirname + '/calls';
const nth = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\\n').length : 0;
appendFileSync(calls, process.argv.slice(2).join(' ') + '\\n');
const { status, files, errors = [] } = JSON.parse(readFileSync(__dirname + '/runs', 'utf8'))[nth];
if (files !== undefined) writeFileSync(process.env.COUNTERSIGN_TEST_REPORT, JSON.stringify({ files, errors }));
process.exitCode = status;
`;

describe('the gate', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cs-gate-'));
    writeFileSync(join(folder, 'npm'), standIn);
    writeFileSync(join(folder, 'package.json'), '{}');
    chmodSync(join(folder, 'npm'), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the suite with these runs in their order. */
  function gate(...runs: readonly Run[]) {
    writeFileSync(join(folder, 'runs'), JSON.stringify(runs));
    const summary = join(folder, 'summary.json');
    const { status } = spawnSync(process.execPath, ['.ci/run-tests.js', summary, 'test', 'test/api'], {
      cwd: clone,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    return { status, calls, ...JSON.parse(readFileSync(summary, 'utf8')) };
  }

  it('lets pass what passes', () => {
    const left = { ...fine('b.test.ts'), skipped: 1, leftOut: ['a test: left out as unsteady: why'] };
    const { calls, ...rest } = gate({ status: 0, files: [fine('a.test.ts'), left] });
    expect(rest).toEqual({
      status: 0,
      passed: 6,
      failed: 0,
      skipped: 1,
      lines: ['left out: b.test.ts (a test: left out as unsteady: why)'],
    });
    expect(calls).toEqual([expect.stringMatching(/^run --silent test -- .* test\/api$/)]);
  });

  it('tries a file once more, alone, and names it where it passes then', () => {
    const { calls, ...rest } = gate(
      { status: 1, files: [fine('a.test.ts'), broken('b.test.ts')] },
      { status: 0, files: [fine('b.test.ts')] },
    );
    expect(rest).toEqual({ status: 0, passed: 6, failed: 0, skipped: 0, lines: ['second try: b.test.ts (a button: not there)'] });
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatch(/ --maxWorkers=1 --no-file-parallelism \S*\/b\.test\.ts$/);
  });

  it('refuses what fails twice', () => {
    const { status, failed, lines } = gate({ status: 1, files: [broken('b.test.ts')] }, { status: 1, files: [broken('b.test.ts')] });
    expect({ status, failed, lines }).toEqual({ status: 1, failed: 1, lines: ['failed: b.test.ts (a button: not there)'] });
  });

  it('refuses a file that the second try did not come to', () => {
    const { status, failed } = gate({ status: 1, files: [broken('b.test.ts')] }, { status: 1 });
    expect(status).toBe(1);
    expect(failed).toBeGreaterThan(0);
  });

  it('counts a file that failed outside of its tests, and tries it again', () => {
    const lost = { ...fine('b.test.ts', 0), failures: ['it did not end'] };
    expect(gate({ status: 1, files: [lost] }, { status: 1, files: [lost] })).toMatchObject({ status: 1, failed: 1 });
  });

  it('gives more than ten files no second try', () => {
    const eleven = Array.from({ length: 11 }, (_, n) => broken(`${n}.test.ts`));
    const { calls, failed, lines } = gate({ status: 1, files: eleven });
    expect([calls.length, failed, lines[0]]).toEqual([1, 11, 'no second try: 11 files failed, more than 10']);
  });

  it.each([
    ['that ends without a report', { status: 137 }, 'failed: test ended without a report (137)'],
    [
      'that ends badly though no test failed',
      { status: 1, files: [fine('a.test.ts')] },
      'failed: test ended with 1, though no test failed',
    ],
    ['with an error of no file', { status: 1, files: [fine('a.test.ts')], errors: ['out of memory'] }, 'failed: out of memory'],
  ])('refuses a run %s', (_what, run, line) => {
    const { status, calls, failed, lines } = gate(run);
    expect({ status, calls: calls.length, failed, lines }).toEqual({ status: 1, calls: 1, failed: 1, lines: [line] });
  });
});
