/** `countersign source credential list|create|rotate|revoke`: credentials of connectors that speak to us, through the API. */
import type { Client } from '../../client/index.ts';
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { ConnectorHostService } from '../../gen/countersign/v1/connector_hosts_pb.js';
import { type Commands, formatFacts, formatRows } from '../frame/commands.ts';
import { CommandFailure } from '../frame/io.ts';
import { findSource } from './fetch.ts';

/** Adds the commands. */
export function addSourceCredentialCommands(group: Commands): void {
  const operands = { '<source>': 'id of the source' } as const;
  group.run('list', {
    description: 'list the live credentials of the connector of a source, at most two',
    operands,
    act: async ({ source }, { client }) => {
      // There are two at most, so they come in no pages.
      const { list = [] } = await client.call(ConnectorHostService.method.listCredentials, { sourceId: source });
      const rows = list.map(({ id = '', clientId = '', lastUsedAt = 'never', expiresTime = 'never' }) => [
        id,
        clientId,
        lastUsedAt,
        expiresTime,
      ]);
      return { json: list, text: () => formatRows(['ID', 'CLIENT ID', 'LAST USED', 'ENDS'], rows) };
    },
  });
  group.run('create', {
    description: 'make a credential for the connector of a source and print its secret, once',
    operands,
    act: async ({ source }, { client }) => makeCredential(client, source),
  });
  group.run('rotate', {
    description: 'make the credential that takes the place of the one in use, which ends 24 hours after the first use of the new one',
    operands,
    act: async ({ source }, { client }) => {
      const { list = [] } = await client.call(ConnectorHostService.method.listCredentials, { sourceId: source });
      if (list.length === 0) {
        throw new CommandFailure('the source has no credential yet; make one with countersign source credential create');
      }
      return makeCredential(client, source);
    },
  });
  group.run('revoke', {
    description: 'revoke a credential of the connector of a source: its tokens stop working within seconds',
    operands: { ...operands, '<id>': 'id of the credential' },
    act: async ({ source, id }, { client }) => {
      const { appId = '' } = await findSource(client, source);
      await client.call(ConnectorService.method.revokeCredential, { appId, connectorId: source, id });
      return { json: { id, revoked: true }, text: `The credential ${id} is revoked.` };
    },
  });
}

async function makeCredential(client: Client, connectorId: string) {
  const { appId = '' } = await findSource(client, connectorId);
  const { credential = {} } = await client.call(ConnectorService.method.rotateCredential, { appId, connectorId });
  const facts = { 'client id': credential.clientId ?? '', 'client secret': credential.clientSecret ?? '' };
  return { json: credential, text: [...formatFacts(facts), 'The secret is shown only once.'] };
}
