/** The contract's services about connectors that speak to us: their credentials and hosts. Each method calls one rule and shapes the reply. */
import type { ConnectorCredential } from '../../gen/c1/api/app/v1/connector_pb.js';
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { ConnectorHostService } from '../../gen/countersign/v1/connector_hosts_pb.js';
import { AppError, orThrow } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { readPage } from '../../wire/page.ts';
import type { Row } from '../../wire/row.ts';
import { type BoundService, implement, implementPart } from '../../wire/service.ts';
import {
  createConnectorCredential,
  type CredentialRow,
  getConnectorCredential,
  listConnectorCredentials,
  revokeConnectorCredential,
} from '../../foundation/credentials/index.ts';
import { requireFetch } from '../fetches/index.ts';
import { requireSource, requireSourceOf, requireSourceReader } from '../sources/index.ts';
import { connectorHostOf, findTenant } from '../../foundation/tenants/index.ts';
import { requireLockedBaton } from './require-source.ts';
import { listHosts } from './store-hosts.ts';
import { findLog } from './store-tasks.ts';

/** Settings of the installation. */
export interface ConnectorSettings {
  readonly secretLabel: string;
  /** Host that connectors reach us at, with {host} for the tenant's; undefined: the tenant's. */
  readonly connectorHost: string | undefined;
}

function shape(appId: string, row: CredentialRow, clientSecret = ''): Row<ConnectorCredential> {
  return { ...row, appId, connectorId: row.sourceId, clientSecret, expiresTime: row.expiresAt };
}

/** Makes the services. */
export function createServices({ secretLabel, connectorHost }: ConnectorSettings): readonly BoundService[] {
  const rotate = (context: Context, { appId, connectorId }: { appId: string; connectorId: string }) =>
    inTransaction(context, async (inside) => {
      const { displayName } = await requireLockedBaton(inside, appId, connectorId);
      const tenant = orThrow(await findTenant(inside.db, inside.tenantId), 'NOT_FOUND', 'This tenant was deleted.');
      const host = connectorHostOf(connectorHost, tenant.host);
      const of = { sourceId: connectorId, appId };
      const { row, secret } = await createConnectorCredential(inside, of, { host, displayName, secretLabel });
      return { credential: shape(appId, row, secret) };
    });
  const connectors = implementPart(ConnectorService, {
    rotateCredential: rotate,
    rotateCredentialOfBody: rotate,
    getCredentials: async (context, { appId, connectorId, id }) => {
      await requireSourceReader(context, connectorId);
      await requireSourceOf(context, appId, connectorId);
      return { credential: shape(appId, await getConnectorCredential(context, connectorId, id)) };
    },
    revokeCredential: (context, { appId, connectorId, id }) =>
      inTransaction(context, async (inside) => {
        await requireSourceOf(inside, appId, connectorId);
        await revokeConnectorCredential(inside, { sourceId: connectorId, appId }, id);
        return {};
      }),
  });
  const hosts = implement(ConnectorHostService, {
    list: async (context, { sourceId }, call) => {
      await requireSourceReader(context, sourceId);
      await requireSource(context, sourceId);
      const { rows, nextPageToken } = await readPage(
        call,
        (after, limit) => listHosts(context, sourceId, after, limit),
        (row) => row.hostId,
      );
      return { list: rows, nextPageToken };
    },
    listCredentials: async (context, { sourceId }) => {
      await requireSourceReader(context, sourceId);
      const { appId } = await requireSource(context, sourceId);
      return { list: (await listConnectorCredentials(context, sourceId)).map((row) => shape(appId, row)) };
    },
    getLog: async (context, { sourceId, fetchId }) => {
      await requireSource(context, sourceId);
      const fetch = await requireFetch(context, fetchId);
      if (fetch.sourceId !== sourceId) {
        throw new AppError('NOT_FOUND', 'There is no such fetch of this source.');
      }
      return (await findLog(context, sourceId, fetch)) ?? { log: '', hostId: '' };
    },
  });
  return [connectors, hosts];
}
