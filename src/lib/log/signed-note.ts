/**
 * Signed notes (C2SP signed-note): a text and the Ed25519 signatures under it, among them the cosignatures of witnesses (C2SP
 * tlog-cosignature, cosignature/v1). What the text says is read in checkpoint.ts; whose signatures are wanted is in log-policy.ts.
 */
import { isUtf8 } from 'node:buffer';
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { readEd25519Key } from './ed25519.ts';

/** Reason a note, a key, a policy or a proof is not accepted; the message is a sentence for whoever checks it. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
}

/** Data a key signs: `note` the text alone (type 0x01), `cosignature` a time and the text (type 0x04). */
export type SignatureKind = 'note' | 'cosignature';

/** A key that notes are checked with. */
export interface NoteKey {
  readonly name: string;
  readonly kind: SignatureKind;
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer;
  /** Name, id and key in one line, as they are published. */
  readonly vkey: string;
}

/** A key that notes are signed with. */
export interface NoteSigner {
  readonly key: NoteKey;
  readonly privateKey: KeyObject;
}

/** A signature that was checked and is good. */
export interface NoteSignature {
  readonly key: NoteKey;
  /** Time of a cosignature, in seconds since 1970; undefined for other signatures, which hold no time. */
  readonly cosignedAt: number | undefined;
}

/** A note of which at least one signature is that of a known key; all signatures of known keys are good. */
export interface OpenedNote {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const seedLength = 32;
const keyLength = 32;
const keyIdLength = 4;
const signatureLength = 64;
const timeLength = 8;
const maxNoteBytes = 1_000_000;
const maxSignatures = 100;
const typeOf: Readonly<Record<SignatureKind, number>> = { note: 0x01, cosignature: 0x04 };
/** The bytes that stand before a raw private key in its DER form (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signer with this name and seed of 32 bytes. */
export function createNoteSigner(name: string, seed: Buffer): NoteSigner {
  if (seed.length !== seedLength) {
    throw new RangeError(`a seed has ${seedLength} bytes, not ${seed.length}`);
  }
  const privateKey = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-keyLength);
  return { key: createKey(name, 'note', publicKey), privateKey };
}

/** The key in a vkey, `name+id+base64(type, key)`. Throws a NoteError where it is malformed or its id is not that of the key. */
export function readVkey(vkey: string): NoteKey {
  const [, name = '', id, encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/su.exec(vkey) ?? [];
  if (id === undefined) {
    throw new NoteError('A key has the form name+id+key, the id 8 hexadecimal digits.');
  }
  const bytes = readBase64(encoded);
  const kind = bytes?.[0] === typeOf.note ? 'note' : bytes?.[0] === typeOf.cosignature ? 'cosignature' : undefined;
  if (bytes === undefined || kind === undefined || bytes.length !== 1 + keyLength) {
    throw new NoteError(`The key of ${name} is not an Ed25519 key of type 0x01 or 0x04 in base64.`);
  }
  const key = createKey(name, kind, bytes.subarray(1));
  if (key.vkey !== vkey) {
    throw new NoteError(`The key of ${name} does not have the id ${id}.`);
  }
  return key;
}

/** The key of notes with this name and public half. Throws a NoteError for a name that is none. */
export function readPublicKey(name: string, publicKey: Buffer): NoteKey {
  return createKey(name, 'note', publicKey);
}

/** The note of a text that ends with a line feed, with a signature of each signer. */
export function signNote(signers: readonly NoteSigner[], text: string): string {
  if (!text.endsWith('\n') || hasControlCharacters(text) || !text.isWellFormed()) {
    throw new NoteError('The text of a note ends with a line feed and has no other control character.');
  }
  const lines = signers.map(({ key, privateKey }) => {
    const signature = sign(null, Buffer.from(text), privateKey);
    return `— ${key.name} ${Buffer.concat([keyIdOf(key), signature]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/**
 * The text of a note and who signed it. Signatures of unknown keys count for nothing. Throws a NoteError where the note is malformed, where
 * a signature of a known key is wrong, or where no known key signed.
 */
export function openNote(known: readonly NoteKey[], note: Buffer): OpenedNote {
  const { text, lines } = splitNote(note);
  const signatures = lines.flatMap((line) => {
    const { name, bytes } = readSignatureLine(line);
    const keyId = bytes.subarray(0, keyIdLength);
    return known
      .filter((key) => key.name === name && keyIdOf(key).equals(keyId))
      .map((key) => checkSignature(key, text, bytes.subarray(keyIdLength)));
  });
  if (signatures.length === 0) {
    throw new NoteError('No known key signed the note.');
  }
  return { text, signatures };
}

/** The bytes of standard base64 with its padding; undefined for any other spelling of them. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function createKey(name: string, kind: SignatureKind, publicKey: Buffer): NoteKey {
  if (!isKeyName(name)) {
    throw new NoteError('The name of a key is not empty and has neither spaces, plus signs nor control characters.');
  }
  const id = keyIdOf({ name, kind, publicKey }).toString('hex');
  return { name, kind, publicKey, vkey: `${name}+${id}+${Buffer.of(typeOf[kind], ...publicKey).toString('base64')}` };
}

function isKeyName(name: string): boolean {
  return /^[^\p{White_Space}+]+$/u.test(name) && !hasControlCharacters(name) && name.isWellFormed();
}

/** The first 4 bytes of the hash of name, type and key; they distinguish keys, and prove nothing. */
function keyIdOf({ name, kind, publicKey }: Omit<NoteKey, 'vkey'>): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(typeOf[kind]), publicKey]);
  return hash('sha256', bytes, 'buffer').subarray(0, keyIdLength);
}

/** True if there is one besides line feeds. */
function hasControlCharacters(text: string): boolean {
  return /[^\n -\u{10ffff}]/u.test(text);
}

function splitNote(note: Buffer): { text: string; lines: string[] } {
  if (note.length > maxNoteBytes) {
    throw new NoteError(`The note has more than ${maxNoteBytes} bytes.`);
  }
  const whole = note.toString();
  if (!isUtf8(note) || hasControlCharacters(whole)) {
    throw new NoteError('The note is not UTF-8 text, or has control characters besides line feeds.');
  }
  const end = whole.lastIndexOf('\n\n');
  if (end < 0 || !whole.endsWith('\n')) {
    throw new NoteError('A note is a text, an empty line and lines of signatures, each line ended by a line feed.');
  }
  const lines = whole
    .slice(end + 2)
    .split('\n')
    .slice(0, -1);
  if (lines.length === 0 || lines.length > maxSignatures) {
    throw new NoteError(`The note has ${lines.length} signatures; 1 to ${maxSignatures} are accepted.`);
  }
  return { text: whole.slice(0, end + 1), lines };
}

function readSignatureLine(line: string): { name: string; bytes: Buffer } {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/u.exec(line) ?? [];
  const bytes = readBase64(encoded);
  if (!isKeyName(name) || bytes === undefined || bytes.length <= keyIdLength) {
    throw new NoteError('A signature line has the form "— name signature", the signature in base64.');
  }
  return { name, bytes };
}

function checkSignature(key: NoteKey, text: string, bytes: Buffer): NoteSignature {
  const isCosignature = key.kind === 'cosignature';
  const refusal = new NoteError(`The ${isCosignature ? 'cosignature' : 'signature'} of ${key.name} is wrong.`);
  const start = isCosignature ? timeLength : 0;
  if (bytes.length !== start + signatureLength) {
    throw refusal;
  }
  const time = isCosignature ? bytes.readBigUInt64BE() : undefined;
  if (time !== undefined && time > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refusal;
  }
  const signed = time === undefined ? text : `cosignature/v1\ntime ${time}\n${text}`;
  if (!verify(null, Buffer.from(signed), readEd25519Key(key.publicKey), bytes.subarray(start))) {
    throw refusal;
  }
  return { key, cosignedAt: time === undefined ? undefined : Number(time) };
}
