/** Checkpoints that others hold, in bundles made by somebody who has the key of the log: what nobody held, or held of another log, is found. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type MadeBundle, makeBundle } from '../../test/support/made-bundle.ts';
import { verifyBundle } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundle-anchors-'));
const path = join(folder, 'made.zip');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function verified(anchors: MadeBundle['anchors']) {
  const { vkey } = await makeBundle(path, { accounts: 20, each: 3, together: 10, ...(anchors && { anchors }) });
  return verifyBundle(path, { key: Buffer.from(`${vkey}\n`) });
}

const anchor = { anchoredAt: '2026-11-27T00:00:00.000Z', kind: 'FILE', place: '', proof: null, vouchedAt: null };

it('holds to checkpoints of its own log', async () => {
  const { findings, shown } = await verified(({ size, root }) => [{ ...anchor, root: root.toString('base64'), size }]);
  expect(findings).toEqual([]);
  expect(shown).toContain('1 checkpoint that others hold of the log are of this one, 0 with their word over it.');
});

it.each([
  ['another root', { root: Buffer.alloc(32, 1).toString('base64') }, 'The log had other events when it had'],
  ['no root', { root: 'AA==' }, 'It is no checkpoint that somebody holds.'],
])('names one with %s', async (_, change, sentence) => {
  const { findings } = await verified(({ size, root }) => [
    { ...anchor, root: root.toString('base64'), size },
    { ...anchor, size, ...change },
  ]);
  expect(findings).toEqual([{ file: 'log/anchors.jsonl', line: 2, sentence: expect.stringContaining(sentence) }]);
});
