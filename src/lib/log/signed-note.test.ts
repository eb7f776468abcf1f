/** Signed notes: keys and ids against the vectors, what is refused, and that nothing in a note can be changed. */
import { sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVector, readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { createNoteSigner, openNote, readBase64, readVkey, signNote } from './signed-note.ts';

const { generations, witness, origin } = readVectorJson<{
  origin: string;
  generations: { generation: number; seedHex: string; vkey: string }[];
  witness: { name: string; vkey: string };
}>('keys.json');
const seed = Buffer.from(generations[0]!.seedHex, 'hex');
const signer = createNoteSigner(origin, seed);
const witnessKey = readVkey(witness.vkey);
const text = 'one\n\ntwo\n';
const note = signNote([signer], text);
const open = (changed: string) => openNote([signer.key], Buffer.from(changed));

describe('a key', () => {
  it.each(generations)('of generation $generation has the vkey of its seed', ({ seedHex, vkey }) => {
    const { key } = createNoteSigner(origin, Buffer.from(seedHex, 'hex'));
    expect(key.vkey).toBe(vkey);
    expect(readVkey(vkey)).toEqual(key);
    expect(key).toMatchObject({ name: origin, kind: 'note' });
  });

  it('of a witness signs times too', () => {
    expect(witnessKey).toMatchObject({ name: witness.name, kind: 'cosignature', vkey: witness.vkey });
    expect(witnessKey.publicKey.length).toBe(32);
  });

  const vkey = generations[0]!.vkey;
  it.each([
    ['nothing', '', /form name\+id\+key/],
    ['no name', vkey.slice(origin.length), /name of a key/],
    ['a name with a space', `a${vkey.replace('/log', '\u00a0log')}`, /name of a key/],
    ['a control character in the name', vkey.replace('/log', '\u0007'), /name of a key/],
    ['another name', `x${vkey}`, /does not have the id d426c9b1/],
    ['another id', vkey.replace('+d426c9b1+', '+d426c9b2+'), /does not have the id d426c9b2/],
    ['an id in capitals', vkey.replace('+d426c9b1+', '+D426C9B1+'), /form name\+id\+key/],
    ['a key that is too short', vkey.slice(0, -4), /not an Ed25519 key/],
    ['base64 that is odd', vkey.replace(/3$/, '4='), /not an Ed25519 key/],
    ['another type', vkey.replace('+AX7', '+An7'), /not an Ed25519 key/],
  ])('is not read from %s', (_, odd, reason) => {
    expect(() => readVkey(odd)).toThrow(expect.objectContaining({ name: 'NoteError', message: expect.stringMatching(reason) }));
  });

  it('comes from a whole seed and a name without spaces', () => {
    expect(() => createNoteSigner(origin, seed.subarray(1))).toThrow('a seed has 32 bytes, not 31');
    for (const name of ['', 'a b', 'a+b', 'a\u2028b', 'a\nb', '\ud800']) {
      expect(() => createNoteSigner(name, seed)).toThrow(/name of a key/);
    }
  });
});

describe('a note', () => {
  it('gives back the text and its signers, whoever else signed', () => {
    const unknown = createNoteSigner('other.example', Buffer.alloc(32, 1));
    const opened = openNote([witnessKey, signer.key], Buffer.from(signNote([unknown, signer], text)));
    expect(opened).toEqual({ text, signatures: [{ key: signer.key, cosignedAt: undefined }] });
  });

  it('tells when it was cosigned', () => {
    const opened = openNote([witnessKey], readVector('checkpoints/good-cosigned.txt'));
    expect(opened.signatures).toEqual([{ key: witnessKey, cosignedAt: expect.any(Number) }]);
    const year = new Date(opened.signatures[0]!.cosignedAt! * 1000).getUTCFullYear();
    expect(year).toBe(2026);
  });

  it.each([
    ['nothing', ''],
    ['only a text', 'one\n'],
    ['no line feed at the end', note.slice(0, -1)],
    ['a carriage return', note.replace('one\n', 'one\r\n')],
    ['a tab', note.replace('one', 'o\tne')],
    ['no signature', `${text}\n`],
    ['another dash', note.replace('—', '-')],
    ['two spaces', note.replace('— ', '—  ')],
    ['a signature of nothing but the id', `${note}— a AAAAAA==\n`],
    ['base64 without its padding', `${note}— a AAAAAAA\n`],
    ['another line among the signatures', `${note}x\n`],
    ['too many signatures', `${text}\n${'— a AAAAAAA=\n'.repeat(101)}`],
    ['too many bytes', `${'x'.repeat(1_000_000)}\n${note}`],
  ])('with %s is no note', (_, odd) => {
    expect(() => open(odd)).toThrow(expect.objectContaining({ name: 'NoteError' }));
  });

  it('is UTF-8', () => {
    expect(() => openNote([signer.key], Buffer.concat([Buffer.of(0xff), Buffer.from(note)]))).toThrow(/UTF-8/);
  });

  it('is refused when one of two known keys signed wrong, and when no known key signed', () => {
    const other = createNoteSigner('other.example', Buffer.alloc(32, 1));
    const wrong = signNote([other], 'else\n').split('\n\n')[1]!;
    expect(() => openNote([signer.key, other.key], Buffer.from(`${note}${wrong}`))).toThrow('The signature of other.example is wrong.');
    expect(open(`${note}${wrong}`).signatures).toHaveLength(1);
    expect(() => openNote([other.key], Buffer.from(note))).toThrow('No known key signed the note.');
    expect(() => openNote([], Buffer.from(note))).toThrow('No known key signed the note.');
  });

  it('is refused when a known key signed with another length or a time beyond all years', () => {
    const keyId = Buffer.from(witness.vkey.split('+')[1]!, 'hex');
    const cosigned = (bytes: Buffer) => Buffer.from(`${text}\n— ${witness.name} ${Buffer.concat([keyId, bytes]).toString('base64')}\n`);
    for (const bytes of [Buffer.alloc(64), Buffer.alloc(73), Buffer.alloc(72, 0xff), Buffer.alloc(72)]) {
      expect(() => openNote([witnessKey], cosigned(bytes))).toThrow(`The cosignature of ${witness.name} is wrong.`);
    }
  });

  it('signs the text as it is', () => {
    const signature = readBase64(note.trim().split(' ').at(-1)!)!;
    expect(signature.subarray(0, 4).toString('hex')).toBe('d426c9b1');
    expect(signature.subarray(4)).toEqual(sign(null, Buffer.from(text), signer.privateKey));
  });

  it.each(['no line feed', 'a\r\n', '\ud800\n', ''])('is not made of %j', (odd) => {
    expect(() => signNote([signer], odd)).toThrow(/text of a note/);
  });

  it('comes back for any text, and not once a bit of it is changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (any, pick) => {
        const made = Buffer.from(signNote([signer], `${any.replace(/\p{Cc}/gu, '\n')}\n`));
        expect(openNote([signer.key], made).text).toBe(`${any.replace(/\p{Cc}/gu, '\n')}\n`);
        const bit = pick % (made.length * 8);
        made[bit >> 3] = made[bit >> 3]! ^ (1 << (bit & 7));
        expect(() => openNote([signer.key], made)).toThrow(expect.objectContaining({ name: 'NoteError' }));
      }),
    );
  });
});
