/** The second verifier, which shares nothing with ours. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Its program. */
export const secondVerifier = join(import.meta.dirname, '../../docs/verify/verify.py');

/** Has it verify a bundle; `options` are further words of its command line. */
export function askSecondVerifier(bundle: string, ...options: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('python3', [secondVerifier, bundle, ...options], { encoding: 'utf8' });
  return { status, stdout, stderr };
}
