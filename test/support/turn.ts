/** Which part of the tables that multiply this run tries (runs.ts): the next one with each commit, so that ten commits in a row see all of them. */
import { execFileSync } from 'node:child_process';

/** The number of commits below the one that is checked out, or COUNTERSIGN_TEST_TURN, which tries the part of another run; 0 where this is no clone. */
export const turnOfRun = Number(process.env['COUNTERSIGN_TEST_TURN'] ?? countCommits());

function countCommits(): string {
  try {
    return execFileSync('git', ['rev-list', '--count', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '0';
  }
}
