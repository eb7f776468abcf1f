/** The file with the log secret. */
import { describe, expect, it } from 'vitest';
import { readLogSecrets } from './log-secret.ts';

const hex = (byte: string): string => byte.repeat(32);

describe('a log secret file', () => {
  it('holds 32 bytes, or lines of digits of which the first is in use', () => {
    const raw = Buffer.from(Array.from({ length: 32 }, (_, at) => at + 200));
    expect(readLogSecrets(raw)).toEqual([raw]);
    expect(readLogSecrets(Buffer.from(`${hex('ab')}\n`))).toEqual([Buffer.alloc(32, 0xab)]);
    expect(readLogSecrets(Buffer.from(`${hex('CD')}\r\n${hex('ab')}\n`))).toEqual([Buffer.alloc(32, 0xcd), Buffer.alloc(32, 0xab)]);
  });

  it.each([
    ['nothing', ''],
    ['too few digits', 'ab'.repeat(31)],
    ['other letters', 'xy'.repeat(32)],
    ['an empty line between', `${hex('ab')}\n\n${hex('cd')}`],
    ['a secret twice', `${hex('ab')}\n${hex('ab')}`],
    ['words', 'correct horse battery staple'],
  ])('is refused with %s', (_, text) => {
    expect(() => readLogSecrets(Buffer.from(text))).toThrow('lines of 64 hexadecimal digits');
  });
});
