/** Algorithms that a time stamp may rest on. Everything else, SHA-1 before all, is refused. */
import type { KeyObject, X509Certificate } from 'node:crypto';
import type { AlgorithmIdentifier } from 'pkijs';
import { TimeStampRefusal } from './refusal.ts';

export type Digest = 'sha256' | 'sha384' | 'sha512';

const digests: Readonly<Record<string, Digest>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

type KeyType = 'rsa' | 'ec' | 'ed25519';

/** Signature algorithms: the type of key, and the digest where the algorithm names one. */
const signatures: Readonly<Record<string, { readonly key: KeyType; readonly digest?: Digest }>> = {
  '1.2.840.113549.1.1.1': { key: 'rsa' },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
  '1.3.101.112': { key: 'ed25519' },
};

const rsa = '1.2.840.113549.1.1.1';
const maxName = 100;
const minRsaBits = 2048;
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Returns the digest of an identifier; undefined for one that is not accepted. */
export function digestOf(identifier: string): Digest | undefined {
  return digests[identifier];
}

/** Throws TimeStampRefusal unless a token's signature algorithm is accepted and fits the digest and the key. */
export function requireTokenAlgorithm(identifier: string, digest: Digest, key: KeyObject): void {
  const algorithm = signatures[identifier];
  if (algorithm === undefined || algorithm.key !== key.asymmetricKeyType || (algorithm.digest ?? digest) !== digest) {
    throw new TimeStampRefusal(`The token is signed with algorithm ${identifier}, which is not accepted for its digest and key.`);
  }
}

/** Throws TimeStampRefusal unless an issuer signed the certificate with an accepted algorithm. */
export function requireCertificateAlgorithm(identifier: string, certificate: X509Certificate): void {
  // The bare RSA algorithm is for tokens, which name their digest beside it.
  if (signatures[identifier] === undefined || identifier === rsa) {
    throw new TimeStampRefusal(`The certificate of ${nameOf(certificate)} is signed with algorithm ${identifier}, which is not accepted.`);
  }
}

/** Throws TimeStampRefusal for a key that is too weak. */
export function requireKey(certificate: X509Certificate): void {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  if (type === 'rsa' && (details?.modulusLength ?? 0) < minRsaBits) {
    throw new TimeStampRefusal(`The key of ${nameOf(certificate)} has ${details?.modulusLength} bits; RSA needs ${minRsaBits}.`);
  }
  if (type !== 'rsa' && type !== 'ed25519' && !(type === 'ec' && curves.has(details?.namedCurve ?? ''))) {
    throw new TimeStampRefusal(`The key of ${nameOf(certificate)} is neither RSA, P-256, P-384, P-521 nor Ed25519.`);
  }
}

/** Throws TimeStampRefusal for parameters other than none and NULL, as the accepted algorithms have them. */
export function requirePlainParameters({ algorithmId, algorithmParams }: AlgorithmIdentifier): void {
  const bytes = algorithmParams === undefined ? undefined : Buffer.from(algorithmParams.toBER());
  if (bytes !== undefined && bytes.length > 0 && bytes.toString('hex') !== '0500') {
    throw new TimeStampRefusal(`Algorithm ${algorithmId} has parameters.`);
  }
}

/** Returns the common name of a certificate, its whole subject where it has none. */
export function nameOf({ subject }: X509Certificate): string {
  const name = /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
  return name.replaceAll(/\\(?![0-9A-F])/g, '').slice(0, maxName) || 'a certificate without a name';
}
