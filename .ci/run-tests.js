// Runs a script of tests, and the files that failed once more, alone: one process, nothing beside them. What passes then has passed, and is named
// with the message it failed with; what fails twice has failed. More than ten such files are a broken build, and get no second try.
//
// Usage: node .ci/run-tests.js SUMMARY SCRIPT [FILTER...]. Writes { passed, failed, skipped, lines } to SUMMARY: the lines are for the end of a
// log. Exits with 0 where nothing failed. Plain JavaScript, for whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const maxSecondTries = 10;
const [summary, script, ...filters] = process.argv.slice(2);
const report = `${summary}.report`;

/** Runs the script over these files, and returns what came of it. */
function run(...args) {
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=./.ci/reporter.js'];
  const { status, signal } = spawnSync('npm', ['run', '--silent', script, '--', ...reporters, ...args], {
    env: { ...process.env, COUNTERSIGN_TEST_REPORT: resolve(report) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (!existsSync(report)) {
    return { files: [], errors: [`${script} ended without a report (${signal ?? status})`] };
  }
  const { files, errors } = JSON.parse(readFileSync(report, 'utf8'));
  const isNamed = errors.length > 0 || files.some(({ failures }) => failures.length > 0);
  return { files, errors: status === 0 || isNamed ? errors : [`${script} ended with ${signal ?? status}, though no test failed`] };
}

const broken = ({ failures }) => failures.length > 0;
const first = run(...filters);
const lines = [];
let { files, errors } = first;
const toTry = first.errors.length === 0 ? files.filter(broken) : [];

if (toTry.length > maxSecondTries) {
  lines.push(`no second try: ${toTry.length} files failed, more than ${maxSecondTries}`);
} else if (toTry.length > 0) {
  console.log(`\n== second try, alone: ${toTry.map(({ path }) => path).join(' ')}\n`);
  const second = run('--maxWorkers=1', '--no-file-parallelism', ...toTry.map(({ path }) => resolve(path)));
  const again = new Map(second.files.map((file) => [file.path, file]));
  // A file that the second try did not come to has failed as it had.
  files = files.map((file) => again.get(file.path) ?? file);
  errors = second.errors;
  lines.push(
    ...toTry
      .filter(({ path }) => again.has(path) && !broken(again.get(path)))
      .map(({ path, failures }) => `second try: ${path} (${failures[0]})`),
  );
}
lines.push(...files.flatMap(({ path, leftOut }) => leftOut.map((one) => `left out: ${path} (${one})`)));
lines.push(...files.filter(broken).flatMap(({ path, failures }) => failures.map((one) => `failed: ${path} (${one})`)));
lines.push(...errors.map((one) => `failed: ${one}`));

const sum = (what) => files.reduce((before, file) => before + file[what], 0);
// A file that failed outside of its tests counts for one.
const outside = files.filter((file) => broken(file) && file.failed === 0).length;
const failed = sum('failed') + outside + errors.length;
writeFileSync(summary, JSON.stringify({ passed: sum('passed'), failed, skipped: sum('skipped'), lines }));
console.log(`\n${lines.join('\n')}`);
process.exitCode = failed === 0 ? 0 : 1;
