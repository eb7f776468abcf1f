/** Verifying bundles: the sample holds, each forged one does not, and the sentence names what was done to it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVector } from '../../test/support/evidence-vectors.ts';
import { containedFile } from '../../test/support/bundle.ts';
import { UnreadableError, verifyBundle } from './index.ts';

const folder = join(import.meta.dirname, '../../test/vectors/evidence');
const sample = join(folder, 'sample.evidence.zip');
const key = readVector('sample.key.txt');
const tsaRoots = readVector('tsa/root.crt');

/** Where something does not hold, each place once. */
async function placesIn(path: string): Promise<string[]> {
  const { findings } = await verifyBundle(path);
  return [...new Set(findings.map(({ file, line }) => (line === undefined ? file : `${file}, line ${line}`)))];
}

describe('the sample', () => {
  it('holds on the keys that it brought', async () => {
    const { verdict, findings, notes, shown } = await verifyBundle(sample);
    expect({ verdict, findings }).toEqual({ verdict: 'unproven', findings: [] });
    expect(notes).toHaveLength(3);
    expect(shown).toContain('All 7 events of the review are here, none is missing between the first and the last.');
    expect(shown.join('\n')).toContain('Mona Müller signed 2 decisions at 2026-11-22T00:53:49.000Z');
  });

  it('holds without a note on keys from outside', async () => {
    const idpKeys = containedFile(sample, 'keys/idp.json');
    const { verdict, notes, believed } = await verifyBundle(sample, { key, tsaRoots, idpKeys });
    expect({ verdict, notes }).toEqual({ verdict: 'holds', notes: [] });
    expect(believed).toHaveLength(5);
  });

  it('does not hold on keys of somebody else', async () => {
    const { verdict, findings } = await verifyBundle(sample, { tsaRoots: readVector('tsa/other-root.crt') });
    expect(verdict).toBe('broken');
    expect(findings.map(({ file }) => file)).toEqual(['seal/timestamp.tsr', 'signatures.jsonl']);
  });

  it('holds to a checkpoint of it that was kept', async () => {
    const checkpoint = containedFile(sample, 'log/checkpoint');
    const { shown } = await verifyBundle(sample, { checkpoint });
    expect(shown).toContain('The log begins as it did in the checkpoint that was kept outside.');
    const forged = await verifyBundle(join(folder, 'forged/operator-rewrote-the-log.zip'), { checkpoint });
    expect(forged.findings.map(({ sentence }) => sentence)).toContain(
      'The log had other events when it had 558 of them: it was rewritten after the checkpoint that was kept.',
    );
  });
});

describe('a forged bundle', () => {
  it.each([
    [
      'decision-changed',
      ['manifest.json', 'decisions.jsonl, line 2', 'decisions.jsonl', 'completeness.json'],
      'other decisions than were signed',
    ],
    ['event-left-out', ['manifest.json', 'log/events.jsonl, line 4'], 'the event of the review before it is missing'],
    ['person-changed', ['manifest.json', 'people-details.jsonl, line 2'], 'Otto Other (0MonaForTestVectors00000000)'],
    ['grant-hidden', ['manifest.json', 'completeness.json'], 'It does not add up'],
    ['file-added', ['notes.txt'], 'it was added to the bundle'],
    ['operator-rewrote-the-log', ['decisions.jsonl, line 2', 'decisions.jsonl'], 'other decisions than were signed'],
  ])('%s is found, and named', async (name, places, said) => {
    const path = join(folder, `forged/${name}.zip`);
    const { findings } = await verifyBundle(path);
    expect(await placesIn(path)).toEqual(places);
    expect(findings.map(({ sentence }) => sentence).join('\n')).toContain(said);
  });
});

describe('a file that is no bundle', () => {
  it.each(['README.md', 'keys.json', 'tsa/good.tsr'])('%s cannot be read', async (name) => {
    await expect(verifyBundle(join(folder, name))).rejects.toThrow(UnreadableError);
  });
  it('nor can one that is not there', async () => {
    await expect(verifyBundle(join(folder, 'none.zip'))).rejects.toThrow(/none\.zip cannot be read/);
  });
  it('nor can keys that are none', async () => {
    await expect(verifyBundle(sample, { key: Buffer.from('hello\n') })).rejects.toThrow(/--key: A key has the form/);
    await expect(verifyBundle(sample, { idpKeys: Buffer.from('[]') })).rejects.toThrow(/--idp-keys/);
    await expect(verifyBundle(sample, { tsaRoots: Buffer.from('x') })).rejects.toThrow(/--tsa-roots/);
    await expect(verifyBundle(sample, { checkpoint: Buffer.from('x\n') })).rejects.toThrow(/--checkpoint/);
  });
});
