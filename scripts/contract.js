// Checks the contract in proto/: its style, that it builds, and that it differs from the public facts only where
// proto/deviations.txt says so. The comparison runs where the tool for it is there (it is not part of this repository).
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runBuf, runQuietly, step } from './steps.js';

const scratch = mkdtempSync(join(tmpdir(), 'countersign-contract-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const image = join(scratch, 'contract.json');

step('Style of the contract', () => runBuf(['lint']));
step('Building the contract', () => runBuf(['build', '--output', image]));

const compare = join(root, '..', 'shared', 'tools', 'compare-contract.mjs');
if (existsSync(compare)) {
  step('Comparing with the public facts', () => {
    const compared = runQuietly(process.execPath, [compare, image, '--allow', join('proto', 'deviations.txt')]);
    return { ...compared, note: compared.output.trim().split('\n').at(-1) };
  });
} else {
  process.stderr.write('Comparing with the public facts ... left out: the tool is not on this machine\n');
}
