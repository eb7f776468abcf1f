/** Credentials of the app: a client secret, a certificate with its key, or a token of another identity provider. */
import { constants, createHash, createPrivateKey, type KeyObject, randomUUID, sign, X509Certificate } from 'node:crypto';
import { FetchFault } from '../tables/fetch-fault.ts';

const assertionSeconds = 300;
const minRsaBits = 2048;
const names = ['clientSecret', 'certificate', 'federatedToken'] as const;
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Secrets of a source by their names; exactly one is set. */
export type EntraSecrets = Readonly<Partial<Record<(typeof names)[number], string>>>;

/** Members of a request for a token by which the app proves who it is. */
export type Proof = Readonly<Record<string, string>>;

/** Returns how the app proves who it is. Fails without exactly one secret, and for a certificate that is over or lacks its key. */
export function proveClient(secrets: EntraSecrets, clientId: string, audience: string, now: Date): Proof {
  const set = names.filter((name) => (secrets[name] ?? '') !== '');
  if (set.length !== 1) {
    const found = set.length === 0 ? 'None is set' : `There are ${set.join(' and ')}`;
    throw new FetchFault('REFUSED', `Set one of the secrets clientSecret, certificate and federatedToken. ${found}.`, {
      field: set[0] ?? 'clientSecret',
    });
  }
  const { clientSecret = '', certificate = '', federatedToken = '' } = secrets;
  if (clientSecret !== '') {
    return { client_secret: clientSecret };
  }
  const assertion = certificate === '' ? federatedToken.trim() : signAssertion(certificate, clientId, audience, now);
  return { client_assertion_type: assertionType, client_assertion: assertion };
}

/** Returns the end of the certificate that belongs to the key of a secret; undefined where there is none. */
export function endOfCertificate(pem: string): Date | undefined {
  try {
    return pem === '' ? undefined : readCertificate(pem).certificate.validToDate;
  } catch {
    return undefined;
  }
}

/** Failure of the secret `certificate`. */
function refuseCertificate(message: string): FetchFault {
  return new FetchFault('REFUSED', message, { field: 'certificate' });
}

/** A certificate and the key that belongs to it. */
function readCertificate(pem: string): { readonly certificate: X509Certificate; readonly key: KeyObject } {
  const blocks = pem.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];
  const keyText = blocks.find((block) => block.includes('PRIVATE KEY'));
  const certificates = blocks.filter((block) => block.startsWith('-----BEGIN CERTIFICATE-----'));
  let key: KeyObject | undefined;
  let certificate: X509Certificate | undefined;
  try {
    const own = keyText === undefined ? undefined : createPrivateKey(keyText);
    key = own;
    // A chain may follow, in any order.
    certificate = own && certificates.map((block) => new X509Certificate(block)).find((one) => one.checkPrivateKey(own));
  } catch {
    throw refuseCertificate(
      'The secret certificate cannot be read. It must hold a certificate and its private key without a passphrase, as PEM.',
    );
  }
  if (key === undefined || certificate === undefined) {
    throw refuseCertificate('The secret certificate must hold a certificate and the private key that belongs to it, as PEM.');
  }
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits) {
    throw refuseCertificate(`The certificate must have an RSA key of at least ${minRsaBits} bits, which is what Microsoft takes.`);
  }
  return { certificate, key };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Signs that we are the app, for one request (RFC 7523). The certificate is named by its SHA-256. */
function signAssertion(pem: string, clientId: string, audience: string, now: Date): string {
  const { certificate, key } = readCertificate(pem);
  if (certificate.validToDate <= now) {
    throw refuseCertificate(`The certificate ended on ${certificate.validToDate.toISOString().slice(0, 10)}. Set a new one.`);
  }
  const seconds = Math.floor(now.getTime() / 1000);
  const header = { alg: 'PS256', typ: 'JWT', 'x5t#S256': createHash('sha256').update(certificate.raw).digest('base64url') };
  const times = { iat: seconds, nbf: seconds, exp: seconds + assertionSeconds };
  const claims = { aud: audience, iss: clientId, sub: clientId, jti: randomUUID(), ...times };
  const signed = `${encode(header)}.${encode(claims)}`;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const signature = sign('sha256', Buffer.from(signed), { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
  return `${signed}.${signature.toString('base64url')}`;
}
