/**
 * The two halves of an API credential: the secret a client keeps, the public key we keep, and the client id. No storage here.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomInt, timingSafeEqual } from 'node:crypto';

/** A new pair: `secret` is shown once and kept nowhere, `publicKey` is the 32 bytes as unpadded base64url. */
export interface NewSecret {
  readonly secret: string;
  readonly publicKey: string;
}

/** Makes an Ed25519 pair and spells its private half `secret-token:<label>:v1:<base64url of the JWK>`. */
export function makeSecret(label: string): NewSecret {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x, d } = privateKey.export({ format: 'jwk' });
  if (x === undefined || d === undefined) {
    throw new Error('an Ed25519 key without its parts');
  }
  const jwk = Buffer.from(JSON.stringify({ kty, crv, x, d })).toString('base64url');
  return { secret: `secret-token:${label}:v1:${jwk}`, publicKey: x };
}

const secretPattern = /^secret-token:[^:\s]{1,253}:(?:[A-Za-z0-9._-]{1,16}:)?([A-Za-z0-9_-]{20,600})={0,2}$/;

/** The bytes of a base64url text in its one spelling; Node reads others too, and then many texts would be the same secret. */
function decodeExactly(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) {
    throw new RangeError('not the one spelling of these bytes');
  }
  return bytes;
}

/** The private value `d` (32 bytes) of a secret, or undefined where it is none. Any label is taken: it proves nothing. */
export function parseSecret(secret: string): Buffer | undefined {
  const encoded = secret.length > 1000 ? undefined : secretPattern.exec(secret)?.[1];
  if (encoded === undefined) {
    return undefined;
  }
  try {
    const jwk: unknown = JSON.parse(decodeExactly(encoded).toString('utf8'));
    if (typeof jwk !== 'object' || jwk === null || !('kty' in jwk) || !('crv' in jwk) || !('d' in jwk)) {
      return undefined;
    }
    if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || typeof jwk.d !== 'string') {
      return undefined;
    }
    const d = decodeExactly(jwk.d);
    return d.length === 32 ? d : undefined;
  } catch {
    return undefined;
  }
}

/** The DER of a PKCS #8 Ed25519 key up to its 32 bytes (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** The public key (32 bytes) that belongs to a private value. */
export function derivePublicKey(d: Buffer): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, d]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length);
}

/**
 * True if a secret belongs to a public key: derived from `d` and compared in constant time, since the `x` beside it is public and proves nothing. A
 * secret that is none costs the same.
 */
export function secretMatches(secret: string, publicKey: Buffer): boolean {
  const d = parseSecret(secret);
  const derived = derivePublicKey(d ?? Buffer.alloc(32, 1));
  return timingSafeEqual(derived, publicKey) && d !== undefined;
}

/** The key object of a public key as kept (unpadded base64url of 32 bytes). */
export function importPublicKey(publicKey: string): { key: KeyObject; bytes: Buffer } {
  const bytes = Buffer.from(publicKey, 'base64url');
  return { key: createPublicKey({ key: Buffer.concat([spkiPrefix, bytes]), format: 'der', type: 'spki' }), bytes };
}

const first = [
  'amber',
  'ample',
  'azure',
  'bold',
  'brave',
  'brisk',
  'bright',
  'calm',
  'clear',
  'clever',
  'coral',
  'cosmic',
  'crisp',
  'daring',
  'deep',
  'eager',
  'early',
  'fair',
  'fancy',
  'fleet',
  'fond',
  'fresh',
  'gentle',
  'glad',
  'golden',
  'grand',
  'green',
  'happy',
  'hardy',
  'honest',
  'humble',
  'ivory',
  'jolly',
  'keen',
  'kind',
  'lively',
  'loyal',
  'lucky',
  'mellow',
  'merry',
  'mighty',
  'modest',
  'noble',
  'novel',
  'patient',
  'plain',
  'polite',
  'proud',
  'quick',
  'quiet',
  'rapid',
  'ready',
  'royal',
  'rustic',
  'serene',
  'sharp',
  'silent',
  'silver',
  'smooth',
  'solid',
  'steady',
  'sunny',
  'swift',
  'warm',
] as const;
const second = [
  'acorn',
  'alder',
  'anchor',
  'badger',
  'beacon',
  'birch',
  'bison',
  'bridge',
  'canyon',
  'cedar',
  'comet',
  'condor',
  'crane',
  'delta',
  'dune',
  'eagle',
  'ember',
  'falcon',
  'fern',
  'finch',
  'fjord',
  'forest',
  'garnet',
  'glacier',
  'harbor',
  'hawk',
  'heron',
  'island',
  'jasper',
  'juniper',
  'kestrel',
  'lagoon',
  'lantern',
  'larch',
  'lynx',
  'maple',
  'marten',
  'meadow',
  'mesa',
  'moose',
  'nebula',
  'oak',
  'orchid',
  'osprey',
  'otter',
  'panda',
  'pebble',
  'pine',
  'plover',
  'prairie',
  'quartz',
  'raven',
  'reef',
  'river',
  'robin',
  'sparrow',
  'spruce',
  'summit',
  'thrush',
  'tundra',
  'valley',
  'walnut',
  'willow',
  'wren',
] as const;

/**
 * A new client id `<word>-<word>-<digits>@<host>/<pcc, spc or ccc>`; unique enough that a clash is a reason to try again, which the store's index
 * reports.
 */
export function makeClientId(host: string, useCase: 'pcc' | 'spc' | 'ccc' = 'pcc'): string {
  const words = `${first[randomInt(first.length)]}-${second[randomInt(second.length)]}`;
  return `${words}-${String(randomInt(10_000_000, 100_000_000))}@${host}/${useCase}`;
}
