// Checks the contract in proto/: its style, that it builds, and that it differs from the public facts only where
// proto/deviations.txt says so (compare-contract.js).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runBuf, runQuietly, step } from './steps.js';

const scratch = mkdtempSync(join(tmpdir(), 'countersign-contract-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const image = join(scratch, 'contract.json');

step('Style of the contract', () => runBuf(['lint']));
step('Building the contract', () => runBuf(['build', '--output', image]));

step('Comparing with the public facts', () => {
  const compared = runQuietly(process.execPath, [join(root, 'scripts', 'compare-contract.js'), image]);
  return { ...compared, note: compared.output.trim().split('\n').at(-1) };
});
