/** The token endpoint of the fake: a client credentials grant with a secret, a signed assertion, or a federated token (by its documentation). */
import { constants, createPublicKey, verify, X509Certificate } from 'node:crypto';

/** Things that an app may sign in with. */
export interface Registration {
  readonly tenantId: string;
  readonly clientId: string;
  readonly secret?: string;
  /** Certificate in PEM form that was uploaded to the app. */
  readonly certificate?: string;
  /** Key of the identity provider whose tokens stand for the app, with their issuer and subject. */
  readonly federated?: { readonly key: string; readonly issuer: string; readonly subject: string };
}

/** Refusal of the token endpoint, as Microsoft words it. */
export class SignInRefused extends Error {}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Checks a request for a token; throws SignInRefused with the code of Microsoft. */
export function checkSignIn(app: Registration, path: string, form: URLSearchParams, now: Date): void {
  if (path !== `/${app.tenantId}/oauth2/v2.0/token`) {
    throw new SignInRefused("AADSTS90002: Tenant 'x' not found. Check to make sure you have the correct tenant ID.");
  }
  if (form.get('grant_type') !== 'client_credentials' || form.get('scope') !== 'https://graph.microsoft.com/.default') {
    throw new SignInRefused('AADSTS900144: The request body must contain the right grant_type and scope.');
  }
  if (form.get('client_id') !== app.clientId) {
    throw new SignInRefused('AADSTS700016: Application with this identifier was not found in the directory.');
  }
  const [secret, assertion] = [form.get('client_secret'), form.get('client_assertion')];
  if ((secret === null) === (assertion === null)) {
    throw new SignInRefused('AADSTS7000218: The request body must contain client_assertion or client_secret.');
  }
  if (secret !== null) {
    if (secret !== app.secret) {
      throw new SignInRefused(`AADSTS7000215: Invalid client secret provided: ${secret}. Trace ID: 1 Correlation ID: 2`);
    }
    return;
  }
  if (form.get('client_assertion_type') !== assertionType) {
    throw new SignInRefused('AADSTS50027: The type of the assertion is not known.');
  }
  checkAssertion(app, assertion ?? '', path, now);
}

function checkAssertion({ clientId, certificate, federated }: Registration, assertion: string, path: string, now: Date): void {
  const [head = '', body = '', signature = ''] = assertion.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  const [header, claims] = [read(head), read(body)];
  const signed = Buffer.from(`${head}.${body}`);
  const seconds = now.getTime() / 1000;
  if (Number(claims.exp) <= seconds || Number(claims.nbf ?? 0) > seconds + 60) {
    throw new SignInRefused('AADSTS700024: Client assertion is not within its valid time range.');
  }
  if (federated !== undefined) {
    const isGood = verify('sha256', signed, createPublicKey(federated.key), Buffer.from(signature, 'base64url'));
    if (!isGood || claims.iss !== federated.issuer || claims.sub !== federated.subject || claims.aud !== 'api://AzureADTokenExchange') {
      throw new SignInRefused('AADSTS70021: No matching federated identity record found for presented assertion.');
    }
    return;
  }
  const known = new X509Certificate(certificate ?? '');
  const key = { key: known.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const thumbprint = Buffer.from(known.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
  if (header.alg !== 'PS256' || header.typ !== 'JWT' || header['x5t#S256'] !== thumbprint) {
    throw new SignInRefused('AADSTS700027: Client assertion contains an invalid signature. The key was not found.');
  }
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) {
    throw new SignInRefused('AADSTS700027: Client assertion failed signature validation.');
  }
  const isOurs = claims.iss === clientId && claims.sub === clientId && claims.aud === `https://login.microsoftonline.com${path}`;
  if (!isOurs || typeof claims.jti !== 'string' || claims.jti === '') {
    throw new SignInRefused('AADSTS700023: Client assertion audience claim does not match.');
  }
}
