/**
 * A client published for the API we are compatible with, as it is published, uses all that it knows of ours, over plain HTTP and over
 * TLS. Runs where COUNTERSIGN_CLIENT_PYTHON names a Python that has it; see README.md beside this file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RISK_LEVEL } from '../../src/inventory/classifications/index.ts';
import { contractRoute } from '../../src/http/route-of.ts';
import { listContractServices } from '../support/contract.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { makeWorld, type World } from '../support/world.ts';

const python = process.env['COUNTERSIGN_CLIENT_PYTHON'];
const program = fileURLToPath(new URL('python/every_operation.py', import.meta.url));

/** The program's report on an operation. */
interface Use {
  readonly operation: string;
  readonly requests: readonly (readonly [method: string, path: string])[];
  readonly unread?: readonly string[];
  readonly error?: string;
}

/** Public operations that this version of the client has no method for; everything else of the public API must have been used. */
const notInClient = [
  'AccessReviewActionsService',
  'AccessReviewReportService',
  'AccessReviewService',
  'AccessReviewSetupEntitlementAndScopeService',
  'AppService.searchUserOwnership',
  'AppUserService.listOwnedServiceAccounts',
  'ServicePrincipalService',
  'UserService.introspect',
];

function run(server: TestServer, world: World, caFile: string | undefined): Promise<Use[]> {
  const { admin } = server;
  const { assignee, owner, appId, otherAppId, resourceTypeId, resourceId, entitlementId, accountId, userId, openId, taskIds } = world;
  const input = {
    url: server.url,
    admin: admin.credential,
    assignee: assignee.credential,
    ownerId: owner.id,
    commentedTaskId: taskIds[0],
    appId,
    otherAppId,
    resourceTypeId,
    resourceId,
    entitlementId,
    accountId,
    userId,
    openId,
    riskLevelTypeId: RISK_LEVEL.id,
  };
  const child = spawn(python ?? '', ['-W', 'ignore::DeprecationWarning', program], {
    env: { ...process.env, ...(caFile === undefined ? {} : { SSL_CERT_FILE: caFile }) },
  });
  const output: string[] = [];
  const complaints: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  child.stdin.end(JSON.stringify(input));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      if (complaints.length > 0) {
        reject(new Error(complaints.join('')));
        return;
      }
      resolve(
        output
          .join('')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Use),
      );
    });
  });
}

/** The operations of the public API that none of these requests were for. */
async function listUnused(uses: readonly Use[]): Promise<string[]> {
  const sent = uses.flatMap(({ requests }) => requests);
  const services = await listContractServices();
  return services
    .filter(({ typeName }) => typeName.startsWith('c1.'))
    .flatMap((service) => service.methods)
    .filter((method) => {
      const { verb, template } = contractRoute(method);
      const pattern = new RegExp(`^${template.replace(/\{[a-z0-9_]+\}/g, '[0-9A-Za-z]{27}')}$`);
      return !sent.some(([sentVerb, path]) => sentVerb === verb && pattern.test(path));
    })
    .map((method) => `${method.parent.name}.${method.localName}`);
}

describe.skipIf(python === undefined)('the published client for Python', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-client-'));
  const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };

  beforeAll(() => {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        tls.keyFile,
        '-out',
        tls.certFile,
      ],
      { stdio: 'ignore' },
    );
    // For the requests of this process; the client reads SSL_CERT_FILE.
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(tls.certFile, 'utf8')]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['http', 'https'])('uses every operation over %s', { timeout: 300_000 }, async (scheme) => {
    const server = await startTestServer(scheme === 'https' ? { config: { tls } } : {});
    try {
      const uses = await run(server, await makeWorld(server), scheme === 'https' ? tls.certFile : undefined);
      expect(uses.filter(({ error }) => error !== undefined)).toEqual([]);
      const unused = await listUnused(uses);
      expect(unused.filter((name) => !notInClient.includes(name) && !notInClient.includes(name.split('.')[0] ?? ''))).toEqual([]);
      expect(uses.flatMap(({ operation, unread = [] }) => unread.map((field) => `${operation}: ${field}`))).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
