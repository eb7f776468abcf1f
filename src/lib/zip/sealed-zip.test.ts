/** The container of evidence, byte for byte as the sample has it. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { takeApart } from '../../../test/support/bundle.ts';
import { readVector } from '../../../test/support/evidence-vectors.ts';
import { commentOf } from './sealed-headers.ts';
import { createSealedZip, emptySealedZip, type SealedZipState } from './sealed-zip.ts';

describe('the container of evidence', () => {
  it('has the bytes of the sample, also where every step is taken by another writer', async () => {
    const sample = readVector('sample.evidence.zip');
    const pieces: Buffer[] = [];
    const sink = async (number: number, content: Buffer): Promise<void> => {
      expect(number).toBe(pieces.length);
      pieces.push(content);
    };
    let state: SealedZipState = emptySealedZip;
    const step = async (act: (writer: ReturnType<typeof createSealedZip>) => Promise<unknown>): Promise<void> => {
      const writer = createSealedZip(sink, JSON.parse(JSON.stringify(state)) as SealedZipState);
      await act(writer);
      state = writer.state();
    };
    for (const { name, isStored, content } of takeApart(sample)) {
      await step((writer) => writer.open(name, isStored));
      await step((writer) => writer.add(content));
      await step((writer) => writer.close());
    }
    await step((writer) => writer.finish());
    const written = Buffer.concat(pieces);
    const whole = Buffer.concat([written, Buffer.from(commentOf(hash('sha256', written, 'hex')))]);
    expect(whole.length).toBe(sample.length);
    expect(whole.equals(sample)).toBe(true);
  });

  it('refuses a second open member, and content without one', async () => {
    const writer = createSealedZip(async () => undefined);
    await expect(writer.add(Buffer.alloc(1))).rejects.toThrow('no member of the container is open');
    await writer.open('one');
    await expect(writer.open('two')).rejects.toThrow('one is still open');
  });
});
