/** The way from the signer's certificate to a root the operator trusts, as it was at the time of the stamp. */
import type { X509Certificate } from 'node:crypto';
import { nameOf, requireCertificateAlgorithm, requireKey } from './algorithms.ts';
import type { ReadCertificate } from './read-reply.ts';
import { TimeStampRefusal } from './refusal.ts';

const basicConstraints = '2.5.29.19';
/** As pkijs says it. */
const notValid = 8;
const noPath = /\bcertificate paths?\b/;
/** Looks for issuers of one chain: certificates that certify each other would lead in circles. */
const maxLooks = 32;

function areSame(one: X509Certificate, other: X509Certificate): boolean {
  return one.raw.equals(other.raw);
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // A key of another type than the signature.
    return false;
  }
}

function withoutRoot({ x509 }: ReadCertificate): TimeStampRefusal {
  return new TimeStampRefusal(`The certificate of ${nameOf(x509)} does not lead to a configured root.`);
}

/** Throws TimeStampRefusal unless the signer's certificate leads to a root, and every certificate of that way is accepted and valid at `at`. */
export async function checkChain(
  signer: ReadCertificate,
  others: readonly ReadCertificate[],
  roots: readonly ReadCertificate[],
  at: Date,
): Promise<void> {
  const path = await findPath(signer, others, roots, at);
  const last = path.at(-1);
  if (path[0] !== signer || last === undefined || path.length < 2 || !roots.some(({ x509 }) => areSame(x509, last.x509))) {
    throw withoutRoot(signer);
  }
  for (const [position, { parts, x509 }] of path.entries()) {
    requireKey(x509);
    if (position < path.length - 1) {
      requireCertificateAlgorithm(parts.signatureAlgorithm.algorithmId, x509);
    }
    requirePathLength(parts, x509, position - 1);
  }
}

/** Throws TimeStampRefusal if an issuer permits fewer issuers below it than there are; pkijs does not look. */
function requirePathLength(parts: ReadCertificate['parts'], x509: X509Certificate, below: number): void {
  const extension = parts.extensions?.find(({ extnID }) => extnID === basicConstraints);
  const constraint: unknown = extension?.parsedValue?.pathLenConstraint;
  if (below >= 0 && constraint !== undefined && !(typeof constraint === 'number' && below <= constraint)) {
    throw new TimeStampRefusal(`The certificate of ${nameOf(x509)} does not permit so long a chain.`);
  }
}

/** Returns the path that pkijs finds; signatures are checked by OpenSSL, which knows more kinds of keys. */
async function findPath(
  signer: ReadCertificate,
  others: readonly ReadCertificate[],
  roots: readonly ReadCertificate[],
  at: Date,
): Promise<readonly ReadCertificate[]> {
  const { CertificateChainValidationEngine } = await import('pkijs');
  const known = new Map([...roots, ...others, signer].map((certificate) => [certificate.parts, certificate]));
  let looks = 0;
  const engine = new CertificateChainValidationEngine({
    checkDate: at,
    trustedCerts: roots.map(({ parts }) => parts),
    // The last one is the one whose way is sought.
    certs: [...others, signer].map(({ parts }) => parts),
    findIssuer: (certificate) => {
      looks++;
      const issued = known.get(certificate);
      if (issued === undefined || looks > maxLooks) {
        throw new TimeStampRefusal('The certificates of the token lead in circles.');
      }
      const issuers = [...roots, ...others].filter(({ x509 }) => !areSame(x509, issued.x509) && isSignedBy(issued.x509, x509));
      return Promise.resolve(issuers.map(({ parts }) => parts));
    },
  });
  const {
    result,
    resultCode,
    resultMessage,
    certificatePath = [],
    error,
  } = await engine.verify().catch((cause: unknown) => {
    throw new TimeStampRefusal(`The certificate of ${nameOf(signer.x509)} was not accepted.`, { cause });
  });
  if (error instanceof TimeStampRefusal) {
    throw error;
  }
  if (resultCode === notValid) {
    throw new TimeStampRefusal(`The certificate of ${nameOf(signer.x509)}, or one above it, was not valid at ${at.toISOString()}.`);
  }
  if (!result && noPath.test(resultMessage)) {
    throw withoutRoot(signer);
  }
  if (!result) {
    throw new TimeStampRefusal(`The certificate of ${nameOf(signer.x509)} was not accepted: ${resultMessage.slice(0, 200)}.`, {
      cause: error,
    });
  }
  return certificatePath.flatMap((parts) => known.get(parts) ?? []);
}
