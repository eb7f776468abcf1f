/**
 * Verifying a bundle of evidence: megabytes of its files for each second of processor time, and the most memory of a process that does nothing else.
 * The bundle has 200,000 items; the peer is the limit that an auditor's laptop sets.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { flagsOfVerifier } from '../../src/cli/local/lean-heap.ts';
import { makeBundle } from '../../test/support/made-bundle.ts';
import { atLeast, atMost, type Figure } from '../figure.ts';

const accounts = 30_600;
const [leastMegabytes, mostMegabytes] = [50, 200];

/** Verifies in a process of its own, with the heap that the command has; prints seconds of processor time and kilobytes. */
const program = `
const { verifyBundle } = await import(process.argv[1]);
const before = process.cpuUsage();
const { findings } = await verifyBundle(process.argv[2]);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ findings: findings.length, seconds: (user + system) / 1e6, kilobytes: process.resourceUsage().maxRSS }));`;

/** Both within their limits. */
export const measureVerifying: Figure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-verifying-'));
  try {
    const path = join(folder, 'made.evidence.zip');
    const { items, bytes } = await makeBundle(path, { accounts, each: 10, together: 100 });
    const verifier = join(import.meta.dirname, '../../src/verify/index.ts');
    const command = [...flagsOfVerifier, '--input-type=module', '-e', program, verifier, path];
    const { stdout } = await promisify(execFile)(process.execPath, command);
    const said = JSON.parse(stdout) as { findings: number; seconds: number; kilobytes: number };
    if (said.findings > 0) {
      throw new Error('the bundle does not hold');
    }
    const [speed, memory] = [bytes / 1e6 / said.seconds, said.kilobytes / 1024];
    const title = `Verifying a bundle of ${items.toLocaleString('en')} items`;
    const each = {
      title,
      peer: `${leastMegabytes} MB/s`,
      ours: `${speed.toFixed(0)} MB/s of processor time`,
      ratio: speed / leastMegabytes,
    };
    return [
      atLeast(1, each, 'of the limit'),
      atMost(
        1,
        { title: `${title}: memory`, ours: `${memory.toFixed(0)} MB`, peer: `${mostMegabytes} MB`, ratio: memory / mostMegabytes },
        'times the limit',
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
