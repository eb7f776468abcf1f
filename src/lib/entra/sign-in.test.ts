/** Signing in to a fake of the token endpoint, which verifies signatures: by a secret, a certificate, or a token of another identity provider. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeGraph, startFakeGraph } from '../../../test/support/graph/fake-graph.ts';
import { fetchEntra, usualApp } from '../../../test/support/graph/fetch-entra.ts';
import { guid, tenantOf } from '../../../test/support/graph/tenant.ts';
import type { EntraSecrets } from './credential.ts';

let folder: string;
let fake: FakeGraph;
const tenant = tenantOf({});
const { tenantId, clientId, secret = '' } = usualApp;

/** Makes a certificate with its key, both as PEM. */
function makePair(name: string, how: readonly string[]): { readonly certificate: string; readonly key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  execFileSync('openssl', ['req', '-x509', '-nodes', ...how, '-days', '30', '-subj', `/CN=${name}`, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { certificate: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

const rsa = ['-newkey', 'rsa:2048'] as const;
let own: ReturnType<typeof makePair>;
let other: ReturnType<typeof makePair>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'entra-'));
  own = makePair('own', rsa);
  other = makePair('other', rsa);
  fake = await startFakeGraph({ tenant, app: usualApp });
});
afterAll(async () => {
  await fake.close();
  rmSync(folder, { recursive: true });
});

const fetchWith = (secrets: EntraSecrets, parts: Parameters<typeof fetchEntra>[3] = {}) => fetchEntra(fake, {}, secrets, parts);

describe('a client secret', () => {
  it('signs in, whatever characters it has', async () => {
    expect((await fetchWith({ clientSecret: secret })).people).toHaveLength(1);
  });

  it('is never repeated where it is wrong', async () => {
    const failure = await fetchWith({ clientSecret: 'mistyped~secret' }).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      kind: 'REFUSED',
      message:
        'Signing in failed: the client secret is wrong; set the value of the secret, not its ID. Microsoft says: AADSTS7000215: Invalid client secret provided: ***.',
    });
  });

  it('stands alone', async () => {
    await expect(fetchWith({ clientSecret: secret, federatedToken: 'x' })).rejects.toThrow('There are clientSecret and federatedToken.');
    await expect(fetchWith({})).rejects.toMatchObject({ kind: 'REFUSED', message: expect.stringContaining('None is set.') });
  });
});

describe('a certificate', () => {
  it('signs an assertion, also beside its chain', async () => {
    fake.change({ app: { tenantId, clientId, certificate: own.certificate } });
    const { people, facts } = await fetchWith({ certificate: `${own.certificate}${own.key}` });
    expect([people.length, facts.warnings]).toEqual([
      1,
      [expect.stringMatching(/^The certificate of the app ends on \d{4}-\d\d-\d\d\. Set a new one/)],
    ]);
    expect((await fetchWith({ certificate: `${own.key}${other.certificate}${own.certificate}` })).people).toHaveLength(1);
  });

  it('that the app does not know is refused by Microsoft', async () => {
    await expect(fetchWith({ certificate: `${other.certificate}${other.key}` })).rejects.toThrow(
      'the certificate is not the one of the app',
    );
  });

  it('is refused here without its key, with another one, over its end, or with a key that Microsoft does not take', async () => {
    const curve = makePair('curve', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']);
    for (const [pem, reason] of [
      [own.certificate, 'the private key that belongs to it'],
      [`${own.certificate}${other.key}`, 'the private key that belongs to it'],
      [own.key, 'the private key that belongs to it'],
      [`${own.certificate}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----`, 'cannot be read'],
      [`${curve.certificate}${curve.key}`, 'RSA key of at least 2048 bits'],
    ] as const) {
      await expect(fetchWith({ certificate: pem })).rejects.toMatchObject({ kind: 'REFUSED', message: expect.stringContaining(reason) });
    }
    const later = new Date(Date.now() + 60 * 86_400_000);
    await expect(fetchWith({ certificate: `${own.certificate}${own.key}` }, { now: () => later })).rejects.toThrow(
      'The certificate ended on',
    );
  });
});

describe('a federated token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const federated = {
    key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    issuer: 'https://idp.example',
    subject: 'countersign',
  };
  const makeToken = (claims: object): string => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const usual = {
      iss: federated.issuer,
      sub: federated.subject,
      aud: 'api://AzureADTokenExchange',
      exp: Math.floor(Date.now() / 1000) + 600,
    };
    const signed = `${encode({ alg: 'RS256' })}.${encode({ ...usual, ...claims })}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };

  it('signs in, and is read anew for each access token', async () => {
    // Each access token ends at once, so each request asks for another one.
    fake.change({ app: { tenantId, clientId, federated }, tokenSeconds: 60 });
    let reads = 0;
    const readSecrets = () => Promise.resolve({ federatedToken: `${makeToken({ jti: String(reads++) })}\n` });
    expect((await fetchEntra(fake, {}, {}, {}, readSecrets)).people).toHaveLength(1);
    expect(reads).toBeGreaterThan(5);
    fake.change({ tokenSeconds: 3599 });
  });

  it('of somebody else is refused', async () => {
    for (const claims of [{ sub: 'other' }, { iss: 'https://other.example' }, { exp: 1 }]) {
      await expect(fetchWith({ federatedToken: makeToken(claims) })).rejects.toThrow('no federated credential of the app fits the token');
    }
  });
});

describe('settings', () => {
  it('of another directory or app are named', async () => {
    fake.change({ app: usualApp });
    await expect(fetchEntra(fake, { tenantId: guid(7, 9) })).rejects.toThrow('there is no such directory in this cloud');
    await expect(fetchEntra(fake, { clientId: guid(7, 9) })).rejects.toThrow('the directory has no such app');
    await expect(fetchEntra(fake, { tenantId: 'x' })).rejects.toMatchObject({ kind: 'SETTINGS' });
  });

  it('lead to the hosts of a cloud alone, and the address is judged', async () => {
    const rules = {
      allowed: [],
      allowsLocal: false,
      standIns: new Map([['https://login.partner.microsoftonline.cn', 'https://127.0.0.1']]),
    };
    await expect(fetchEntra(fake, { cloud: 'CHINA' }, { clientSecret: secret }, { rules })).rejects.toMatchObject({
      kind: 'SETTINGS',
      message: expect.stringContaining('login.partner.microsoftonline.cn is not asked'),
    });
  });

  it('and the sign-in server may be busy for a while', async () => {
    let times = 0;
    fake.change({ refuseToken: () => (times++ < 2 ? { status: 503, headers: { 'retry-after': '7' }, body: '' } : undefined) });
    expect((await fetchWith({ clientSecret: secret })).waits).toEqual([7000, 7000]);
    fake.change({ refuseToken: () => ({ status: 429, headers: {}, body: '' }) });
    await expect(fetchWith({ clientSecret: secret })).rejects.toThrow('Signing in failed 5 times: the sign-in server answered 429.');
    fake.change({ refuseToken: () => undefined });
  });
});
