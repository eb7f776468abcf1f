/** The signature of a token: who made it, over what, and with which algorithms. */
import { hash, verify } from 'node:crypto';
import type { Attribute, SignerInfo } from 'pkijs';
import { digestOf, nameOf, requireKey, requirePlainParameters, requireTokenAlgorithm } from './algorithms.ts';
import type { ReadCertificate, ReadReply } from './read-reply.ts';
import { TimeStampRefusal } from './refusal.ts';

const contentType = '1.2.840.113549.1.9.3';
const messageDigest = '1.2.840.113549.1.9.4';
const signingCertificate = '1.2.840.113549.1.9.16.2.12';
const signingCertificateV2 = '1.2.840.113549.1.9.16.2.47';
const timeStampInfo = '1.2.840.113549.1.9.16.1.4';
const extendedKeyUsage = '2.5.29.37';
const timeStamping = '1.3.6.1.5.5.7.3.8';
const subjectKeyIdentifier = '2.5.29.14';

/** Throws TimeStampRefusal for each rule of the signature and of its certificate that is broken. */
export async function checkSignature({ signer, content }: ReadReply, certificate: ReadCertificate): Promise<void> {
  const digest = digestOf(signer.digestAlgorithm.algorithmId);
  if (digest === undefined) {
    throw new TimeStampRefusal(
      `The token is signed with digest ${signer.digestAlgorithm.algorithmId}; SHA-256, SHA-384 and SHA-512 are accepted.`,
    );
  }
  requirePurpose(certificate);
  requireKey(certificate.x509);
  requireTokenAlgorithm(signer.signatureAlgorithm.algorithmId, digest, certificate.x509.publicKey);
  requirePlainParameters(signer.signatureAlgorithm);
  requirePlainParameters(signer.digestAlgorithm);
  await requireAttributes(signer, certificate, hash(digest, content, 'buffer'));
  const isEd25519 = certificate.x509.publicKey.asymmetricKeyType === 'ed25519';
  const signed = Buffer.from(signer.signedAttrs?.encodedValue ?? new ArrayBuffer(0));
  const signature = Buffer.from(signer.signature.getValue());
  if (!verify(isEd25519 ? null : digest, signed, certificate.x509.publicKey, signature)) {
    throw new TimeStampRefusal('The signature of the token is wrong.');
  }
}

/** Returns the certificate of the signer. Throws TimeStampRefusal where the token lacks it. */
export async function findSigner({ signer: { sid, version }, certificates }: ReadReply): Promise<ReadCertificate> {
  const { IssuerAndSerialNumber } = await import('pkijs');
  const { OctetString } = await import('asn1js');
  const found = certificates.find(({ parts }) => {
    if (sid instanceof IssuerAndSerialNumber) {
      // Byte for byte: names are also equal where capitals differ, and nothing signs this one.
      const isIssuer = Buffer.from(parts.issuer.valueBeforeDecode).equals(Buffer.from(sid.issuer.valueBeforeDecode));
      return version === 1 && isIssuer && parts.serialNumber.isEqual(sid.serialNumber);
    }
    const identifier: unknown = parts.extensions?.find(({ extnID }) => extnID === subjectKeyIdentifier)?.parsedValue;
    const named = 'valueBlock' in sid && 'valueHexView' in sid.valueBlock ? sid.valueBlock.valueHexView : undefined;
    return version === 3 && identifier instanceof OctetString && named !== undefined && Buffer.from(identifier.getValue()).equals(named);
  });
  if (found === undefined) {
    throw new TimeStampRefusal("The signer's certificate is not in the token.");
  }
  return found;
}

/** Throws TimeStampRefusal unless the certificate is for time stamps, for nothing else, and says so to whoever does not ask. */
function requirePurpose({ parts, x509 }: ReadCertificate): void {
  const [extension, ...others] = (parts.extensions ?? []).filter(({ extnID }) => extnID === extendedKeyUsage);
  if (extension === undefined || others.length > 0) {
    throw new TimeStampRefusal(`The certificate of ${nameOf(x509)} does not have one extended key usage.`);
  }
  if (!extension.critical) {
    throw new TimeStampRefusal(`The extended key usage of ${nameOf(x509)} is not critical.`);
  }
  const purposes: unknown = extension.parsedValue?.keyPurposes;
  if (!Array.isArray(purposes) || purposes.length !== 1 || purposes[0] !== timeStamping) {
    throw new TimeStampRefusal(`The certificate of ${nameOf(x509)} is not for time stamps alone.`);
  }
}

/** Returns the one value of an attribute that is there once; undefined where it is absent. */
function attributeOf(attributes: readonly Attribute[], type: string): unknown {
  const [found, ...others] = attributes.filter((attribute) => attribute.type === type);
  if (others.length > 0 || (found !== undefined && found.values.length !== 1)) {
    throw new TimeStampRefusal(`Attribute ${type} of the signature is there more than once.`);
  }
  return found?.values[0];
}

/** Throws TimeStampRefusal unless the signed attributes name the content, its digest and the signer's certificate. */
async function requireAttributes({ signedAttrs }: SignerInfo, { x509 }: ReadCertificate, digest: Buffer): Promise<void> {
  const { ObjectIdentifier, OctetString } = await import('asn1js');
  const attributes = signedAttrs?.attributes ?? [];
  const type = attributeOf(attributes, contentType);
  if (!(type instanceof ObjectIdentifier) || type.getValue() !== timeStampInfo) {
    throw new TimeStampRefusal('The signature does not say that it is one of a time stamp.');
  }
  const signed = attributeOf(attributes, messageDigest);
  if (!(signed instanceof OctetString) || !Buffer.from(signed.getValue()).equals(digest)) {
    throw new TimeStampRefusal('The signature is over another time stamp than that of the token.');
  }
  const named = [
    await namedHash(attributeOf(attributes, signingCertificate), 'sha1'),
    await namedHash(attributeOf(attributes, signingCertificateV2), 'sha256'),
  ].filter((entry) => entry !== undefined);
  const isNamed = named.every((entry) => hash(entry.algorithm, x509.raw, 'buffer').equals(entry.value));
  if (named.length === 0 || !isNamed) {
    throw new TimeStampRefusal("The signature does not name the signer's certificate.");
  }
}

/** Returns the hash in the first ESSCertID or ESSCertIDv2 of an attribute; undefined where there is no attribute. */
async function namedHash(attribute: unknown, usual: string): Promise<{ algorithm: string; value: Buffer } | undefined> {
  if (attribute === undefined) {
    return undefined;
  }
  const { ObjectIdentifier, OctetString, Sequence } = await import('asn1js');
  const partsOf = (value: unknown): readonly unknown[] => (value instanceof Sequence ? value.valueBlock.value : []);
  const [first, second] = partsOf(partsOf(partsOf(attribute)[0])[0]);
  if (first instanceof OctetString) {
    return { algorithm: usual, value: Buffer.from(first.getValue()) };
  }
  const [identifier] = partsOf(first);
  const algorithm = identifier instanceof ObjectIdentifier ? digestOf(identifier.getValue()) : undefined;
  // Only the second version names its algorithm.
  if (usual === 'sha1' || algorithm === undefined || !(second instanceof OctetString)) {
    throw new TimeStampRefusal("The signature does not name the signer's certificate in a known way.");
  }
  return { algorithm, value: Buffer.from(second.getValue()) };
}
