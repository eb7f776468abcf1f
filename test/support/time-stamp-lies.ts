/** Time stamps that are wrong in one way each, made with OpenSSL: by certificates that may not stamp, over other data, at another time. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const day = 86_400_000;

/** The folder of a server, and the tool with which it stamps. */
export interface Workshop {
  at(name: string): string;
  /** Stamps a query as a section of the server's configuration says. */
  stamp(query: Buffer, section?: string): Promise<Buffer>;
}

/** Sections of the configuration, which begin the certificates below, and a server that stamps under another policy. */
export const lyingConfig = `
[ts-policy]
default_policy = 1.3.6.1.4.1.99999.1.2
serial = DIR/serial
signer_cert = DIR/tsa.crt
signer_key = DIR/tsa.key
signer_digest = sha256
digests = sha256
ess_cert_id_alg = sha256
[issue]
new_certs_dir = DIR
database = DIR/index
unique_subject = no
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[no-purpose]
basicConstraints = critical, CA:false
[two-purposes]
basicConstraints = critical, CA:false
extendedKeyUsage = critical, timeStamping, clientAuth
[not-critical]
basicConstraints = critical, CA:false
extendedKeyUsage = timeStamping
`;

interface Certificate {
  readonly section: string;
  readonly key?: readonly string[];
  /** Milliseconds from now. */
  readonly from?: number;
  readonly to?: number;
  /** Name of the issuer's files. */
  readonly issuer?: string;
}

const certificates: Readonly<Record<string, Certificate>> = {
  expired: { section: 'tsa', from: -3 * day, to: -day },
  early: { section: 'tsa', from: day, to: 3 * day },
  'no-purpose': { section: 'no-purpose' },
  'two-purposes': { section: 'two-purposes' },
  'not-critical': { section: 'not-critical' },
  weak: { section: 'tsa', key: ['rsa:1024'] },
  between: { section: 'ca' },
  below: { section: 'tsa', issuer: 'between' },
  strange: { section: 'tsa', issuer: 'stranger' },
};

const elliptic = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
const utc = (time: number): string => `${new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`;

/** Makes a certificate with its key; names are those above. */
async function issue({ at }: Workshop, name: string): Promise<void> {
  const { section, key = elliptic, from = -day, to = day, issuer = 'root' } = certificates[name]!;
  const request = ['req', '-config', at('ts.cnf'), '-new', '-nodes', '-subj', `/CN=Server that is ${name}`, '-newkey', ...key];
  await run('openssl', [...request, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`)]);
  await writeFile(at('index'), '');
  await run('openssl', [
    ...['ca', '-config', at('ts.cnf'), '-name', 'issue', '-batch', '-notext', '-extensions', section],
    ...[
      '-startdate',
      utc(Date.now() + from),
      '-enddate',
      utc(Date.now() + to),
      '-cert',
      at(`${issuer}.crt`),
      '-keyfile',
      at(`${issuer}.key`),
    ],
    ...['-in', at(`${name}.csr`), '-out', at(`${name}.crt`)],
  ]);
}

/** Puts DER contents into their frame. */
function frame(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  return Buffer.concat([Buffer.of(tag, ...(length < 128 ? [length] : [0x82, length >> 8, length & 255])), content]);
}

/** A reply with this token, granted. */
const grant = (token: Buffer): Buffer => frame(0x30, frame(0x30, Buffer.of(2, 1, 0)), token);

/** A reply without one, with a string of bits of what is wrong. */
function decline(status: number, texts: readonly string[], failures: readonly number[] = []): Buffer {
  const said = texts.length === 0 ? [] : [frame(0x30, ...texts.map((text) => frame(0x0c, Buffer.from(text))))];
  return frame(
    0x30,
    frame(0x30, Buffer.of(2, 1, status), ...said, ...(failures.length === 0 ? [] : [Buffer.of(3, failures.length, ...failures)])),
  );
}

interface Signing {
  /** Of the certificate's files; the server's own unless given. */
  readonly by?: string;
  readonly more?: readonly string[];
  /** Seconds by which the clock is off. */
  readonly ahead?: number;
}

/** Stamps with what `openssl ts` would refuse to stamp with: takes what an honest server says, and signs it anew. */
async function sign(workshop: Workshop, query: Buffer, { by = 'tsa', more = [], ahead = 0 }: Signing): Promise<Buffer> {
  const { at, stamp } = workshop;
  const [reply, token, said, out] = ['honest.tsr', 'honest.der', 'said.der', 'signed.der'].map(at) as [string, string, string, string];
  await writeFile(reply, await stamp(query));
  await run('openssl', ['ts', '-reply', '-in', reply, '-token_out', '-out', token]);
  await run('openssl', ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', token, '-binary', '-out', said]);
  const content = (await readFile(said)).toString('latin1');
  const moved = content.replace(/\d{14}Z/, `20${utc(Date.now() + ahead * 1000)}`);
  await writeFile(said, Buffer.from(ahead === 0 ? content : moved, 'latin1'));
  await run('openssl', [
    ...['cms', '-sign', '-binary', '-nodetach', '-cades', '-md', 'sha256', '-econtent_type', '1.2.840.113549.1.9.16.1.4'],
    ...['-in', said, '-signer', at(`${by}.crt`), '-inkey', at(`${by}.key`), '-outform', 'DER', '-out', out, ...more],
  ]);
  return grant(await readFile(out));
}

type Lie = (workshop: Workshop, query: Buffer) => Promise<Buffer>;
/** Stamps by a certificate that is made for it. */
const by =
  (name: string, more: readonly string[] = []): Lie =>
  async (workshop, query) => {
    await issue(workshop, name);
    return sign(workshop, query, { by: name, more });
  };
const off =
  (ahead: number): Lie =>
  (workshop, query) =>
    sign(workshop, query, { ahead });
const below =
  (isComplete: boolean): Lie =>
  async (workshop, query) => {
    await issue(workshop, 'between');
    return by('below', isComplete ? ['-certfile', workshop.at('between.crt')] : [])(workshop, query);
  };
/** Stamps by a certificate of somebody whom nobody here knows. */
const strange: Lie = async (workshop, query) => {
  const { at } = workshop;
  const made = ['-keyout', at('stranger.key'), '-out', at('stranger.crt'), '-subj', '/CN=Root of strangers', '-extensions', 'ca'];
  await run('openssl', ['req', '-x509', '-config', at('ts.cnf'), '-days', '2', '-nodes', '-newkey', ...elliptic, ...made]);
  return by('strange')(workshop, query);
};
/** Stamps another query: one bit of it differs, so far from its end. */
const flip =
  (fromEnd: number): Lie =>
  ({ stamp }, query) => {
    const other = Buffer.from(query);
    other[other.length - fromEnd]! ^= 1;
    return stamp(other);
  };
let earlier: Buffer | undefined;

/** What a server answers at the path of each name. The nonce stands before `certReq`, the digest before the nonce. */
export const lies: Readonly<Record<string, Lie>> = {
  '/other-nonce': flip(4),
  '/other-data': flip(14),
  '/another-record': async ({ stamp }, query) =>
    (earlier ??= await stamp(Buffer.concat([query.subarray(0, 24), Buffer.alloc(32), query.subarray(56)]))),
  '/trailing': async ({ stamp }, query) => Buffer.concat([await stamp(query), Buffer.of(0)]),
  '/without-certificate': ({ stamp }, query) => stamp(Buffer.concat([frame(0x30, query.subarray(2, -3))])),
  '/policy': ({ stamp }, query) => stamp(query, 'ts-policy'),
  '/expired': by('expired'),
  '/early': by('early'),
  '/no-purpose': by('no-purpose'),
  '/two-purposes': by('two-purposes'),
  '/not-critical': by('not-critical'),
  '/weak': by('weak'),
  '/below': below(true),
  '/gap': below(false),
  '/strange': strange,
  '/sha1': (workshop, query) => sign(workshop, query, { more: ['-md', 'sha1'] }),
  '/day-ahead': off(86_400),
  '/day-behind': off(-86_400),
  '/301-ahead': off(302),
  '/299-ahead': off(295),
  '/refuses': async () => decline(2, [`policy\u0007 <b>not</b>\u202e known\n${'x'.repeat(500)}`]),
  // Bit 14 of 15: one bit of two bytes is unused.
  '/without-clock': async () => decline(2, [], [1, 0, 2]),
  '/waits': async () => decline(3, ['']),
  '/revoked': async () => decline(5, []),
};
