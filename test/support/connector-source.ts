/** A source whose connector speaks to us, on a server of its own with TLS, and removals of what it reports: for tests from outside. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Answer, type Loose, request, requestGood } from './api.ts';
import { makeCertificate } from './certificate.ts';
import { startConnector, type TestConnector, type WireTask } from './connector.ts';
import { startTestServer, type TestPerson, type TestServer } from './server.ts';
import { until } from './until.ts';

/** A file of a connector by its name without the ending. */
export const vector = (name: string): Buffer => readFileSync(new URL(`../vectors/baton/${name}.c1z`, import.meta.url));

/** People and roles of the demo files. */
export const demo = {
  frank: '2IC0WoaHVvl2GIQppXQH0flK1yJ',
  alice: '2IC0Wn5oRQqVVn3COFl1O1zSzV6',
  editor: 'role:2IC0WmaHecJdzo5jYnQiTh2BVlB:assignment',
} as const;

/** A server with an app whose removals are left to connectors. */
export class ConnectorSources {
  server!: TestServer;
  readonly folder = mkdtempSync(join(tmpdir(), 'countersign-connectors-'));
  readonly open: TestConnector[] = [];

  async start(): Promise<void> {
    this.server = await startTestServer({ config: { tls: makeCertificate(this.folder) } });
  }
  async stop(): Promise<void> {
    for (const connector of this.open) {
      connector.close();
    }
    await this.server.stop();
    rmSync(this.folder, { recursive: true });
  }
  readonly admin = (method: string, path: string, body?: unknown): Promise<Answer> =>
    request(this.server, this.server.admin, method, path, body);
  readonly ok = (method: string, path: string, body?: unknown): Promise<Loose> =>
    requestGood(this.server, this.server.admin, method, path, body);

  /** Makes an app whose revoke policy has this provision step, with a source and its connector, which said Hello. */
  async make(step: Loose = { connector: { defaultBehavior: {} } }): Promise<ConnectorSource> {
    const { policy } = await this.ok('POST', '/api/v1/policies', {
      displayName: `By connector ${Math.random()}`,
      policyType: 'POLICY_TYPE_REVOKE',
      policySteps: { revoke: { steps: [{ provision: { provisionPolicy: step } }] } },
    });
    const { app } = await this.ok('POST', '/api/v1/apps', { displayName: `Wiki ${Math.random()}`, revokePolicyId: policy.id });
    const at = `/api/v1/apps/${app.id}/connectors`;
    const config = { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: 'baton-demo' };
    const { id } = (await this.ok('POST', `${at}/create`, { config })).connectorView.connector;
    // The usual schedule might come in the middle of a test.
    await this.ok('POST', `${at}/${id}/schedule`, { cron: { cronSpec: '0 0 29 2 *', timezone: 'UTC' } });
    const { clientId, clientSecret } = (await this.ok('POST', `${at}/${id}/credentials`, {})).credential;
    const connector = await startConnector({ url: this.server.url, clientId, clientSecret, hostId: 'host-1' });
    this.open.push(connector);
    await connector.hello();
    return new ConnectorSource(this, app.id, id, connector);
  }
}

/** A source with its connector. */
export class ConnectorSource {
  readonly all: ConnectorSources;
  readonly appId: string;
  readonly id: string;
  readonly connector: TestConnector;

  constructor(all: ConnectorSources, appId: string, id: string, connector: TestConnector) {
    this.all = all;
    this.appId = appId;
    this.id = id;
    this.connector = connector;
  }

  /** Waits until there is a task of this kind, and takes it: connectors may ask for work 60 times a minute, so nothing is asked before. */
  take(kind: 'sync' | 'revoke' | 'delete'): Promise<WireTask> {
    return until(async () => {
      const waiting = await this.all.server.test.admin(
        kind === 'sync'
          ? `SELECT id FROM fetches WHERE source_id = $1 AND state = 'WAITING' AND run_at <= now() AND $2 <> ''`
          : `SELECT id FROM connector_tasks WHERE source_id = $1 AND kind = upper($2) AND ended_at IS NULL
             AND (state = 'WAITING' AND coalesce(not_before, now()) <= now() OR leased_until <= now())`,
        [this.id, kind],
      );
      expect(waiting).not.toEqual([]);
      const task = await this.connector.getTask();
      expect(task.kind).toBe(kind);
      return task;
    });
  }

  /** Uploads a file for the sync that waits, or for one that is asked for, and waits until it is imported. */
  async sync(file: Buffer, isAsked = true): Promise<void> {
    if (isAsked) {
      await this.all.ok('POST', `/api/v1/apps/${this.appId}/connectors/${this.id}/force_sync`, {});
    }
    const { id } = await this.take('sync');
    await this.connector.upload(id, file);
    await this.connector.finish(id);
    await until(async () => {
      const { list } = await this.all.ok('GET', `/api/v1/fetches?connector_id=${this.id}`);
      expect(list.map(({ state }: Loose) => state).filter((state: string) => /RUNNING|READING/.test(state))).toEqual([]);
      expect(list.some(({ state, error }: Loose) => state === 'FETCH_STATE_DONE' || error)).toBe(true);
    });
  }

  /** Lets the connector carry out removals. */
  enable(hourly = 0): Promise<Loose> {
    return this.all.ok('PUT', `/api/v1/sources/${this.id}/removals`, { enabled: true, hourly });
  }

  /** Asks for the removal of what an account holds, as the administrator or somebody else; returns its id. */
  async remove(account: string, entitlement: string, asker: TestPerson = this.all.server.admin): Promise<string> {
    const [found] = (await this.all.server.test.admin(
      `SELECT a.id AS account, e.id AS entitlement FROM accounts a JOIN entitlements e ON e.tenant_id = a.tenant_id AND e.app_id = a.app_id
       WHERE a.app_id = $1 AND a.external_id = $2 AND (e.external_id = $3 OR $3 = 'access' AND e.is_app_access)`,
      [this.appId, account, entitlement],
    )) as Loose[];
    const { taskView } = await requestGood(this.all.server, asker, 'POST', '/api/v1/task/revoke', {
      appId: this.appId,
      appEntitlementId: found.entitlement,
      appUserId: found.account,
      description: 'No longer needed',
    });
    return taskView.task.data.revocationId;
  }

  /** Waits until a removal looks like this. */
  becomes(id: string, expected: Loose): Promise<Loose> {
    return until(async () => {
      const { revocation } = await this.all.ok('GET', `/api/v1/revocations/${id}`);
      expect(revocation).toMatchObject(expected);
      return revocation;
    });
  }
}
