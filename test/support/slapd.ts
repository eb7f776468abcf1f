/** A directory of OpenLDAP (Debian's slapd) for tests, in a folder of its own; and whether this machine has one. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** False where slapd is not installed: its tests are then left out. */
export const hasSlapd = existsSync('/usr/sbin/slapd') && existsSync('/etc/ldap/schema/msuser.schema');

export const baseDn = 'dc=example,dc=com';
export const adminDn = `cn=admin,${baseDn}`;
export const adminPassword = 'a password of a test';

export interface Slapd {
  /** `ldap://127.0.0.1:port`. */
  readonly url: string;
  /** `ldaps://localhost:port`. */
  readonly tlsUrl: string;
  /** The certificate that it shows, which is for localhost. */
  readonly certificate: string;
  /** Ends the server at once, as a crash does. */
  kill(): void;
  close(): Promise<void>;
}

/** Starts a directory with entries in LDIF. `config` are further lines for slapd.conf. */
export async function startSlapd(ldif: string, config: readonly string[] = []): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-slapd-'));
  const at = (name: string): string => join(folder, name);
  await mkdir(at('db'));
  const certificate = makeCertificate(folder);
  const schemas = ['core', 'cosine', 'inetorgperson', 'nis', 'msuser'].map((name) => `include /etc/ldap/schema/${name}.schema`);
  const head = [...schemas, 'modulepath /usr/lib/ldap', 'moduleload back_mdb', `TLSCertificateFile ${at('server.crt')}`];
  const database = ['database mdb', `suffix "${baseDn}"`, `rootdn "${adminDn}"`, `rootpw "${adminPassword}"`, `directory ${at('db')}`];
  const lines = [...head, `TLSCertificateKeyFile ${at('server.key')}`, ...database, 'maxsize 1073741824', 'dbnosync', ...config];
  await writeFile(at('slapd.conf'), `${lines.join('\n')}\n`);
  await writeFile(at('data.ldif'), ldif);
  execFileSync('/usr/sbin/slapadd', ['-q', '-f', at('slapd.conf'), '-l', at('data.ldif')], { stdio: 'pipe' });
  const [plain, secure] = [await freePort(), await freePort()];
  const child = spawn(
    '/usr/sbin/slapd',
    ['-d', '0', '-f', at('slapd.conf'), '-h', `ldap://127.0.0.1:${plain} ldaps://127.0.0.1:${secure}`],
    {
      stdio: 'ignore',
    },
  );
  await waitForPort(plain, child);
  return {
    url: `ldap://127.0.0.1:${plain}`,
    tlsUrl: `ldaps://localhost:${secure}`,
    certificate,
    kill: () => void child.kill('SIGKILL'),
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true });
    },
  };
}

function makeCertificate(folder: string): string {
  const request = [
    'req',
    '-x509',
    '-nodes',
    '-days',
    '2',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-subj',
    '/CN=localhost',
  ];
  const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'server.key', '-out', 'server.crt'];
  execFileSync('openssl', [...request, ...names], { cwd: folder, stdio: 'pipe' });
  return execFileSync('openssl', ['x509', '-in', 'server.crt'], { cwd: folder, encoding: 'utf8' });
}

async function waitForPort(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) {
      return;
    }
    if (child.exitCode !== null) {
      break;
    }
    await delay(20);
  }
  throw new Error('slapd did not start');
}

const top = `dn: ${baseDn}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,${baseDn}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${baseDn}
objectClass: organizationalUnit
ou: groups
`;

/** Name of a person of the directory that `writeDirectory` makes. */
export const personDn = (number: number): string => `uid=u${number},ou=people,${baseDn}`;
/** Name of a group. */
export const groupDn = (number: number): string => `cn=g${number},ou=groups,${baseDn}`;

/** Returns LDIF of a company: each person has the manager that reports to nobody else's; each group has its members. */
export function writeDirectory(people: number, groups: readonly (readonly string[])[]): string {
  const persons = Array.from({ length: people }, (_, n) =>
    [
      ...[`dn: ${personDn(n)}`, 'objectClass: inetOrgPerson', `uid: u${n}`, `cn: Person ${n}`, `sn: ${n}`, `mail: U${n}@example.com`],
      ...[
        `employeeNumber: ${100_000 + n}`,
        `departmentNumber: D${n % 40}`,
        `title: Title ${n % 100}`,
        `manager: ${personDn(Math.floor(n / 10))}`,
      ],
    ].join('\n'),
  );
  const all = groups.map((members, n) =>
    [
      ...[`dn: ${groupDn(n)}`, 'objectClass: groupOfNames', `cn: g${n}`, `description: Group ${n}`],
      ...members.map((member) => `member: ${member}`),
    ].join('\n'),
  );
  return `${[top, ...persons, ...all].join('\n\n')}\n`;
}
