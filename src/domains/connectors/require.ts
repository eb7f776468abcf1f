/**
 * What must be there for a request about connectors to make sense.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { requireApp, requireLockedApp } from '../catalog/index.ts';
import { type ConnectorRow, findConnector, lockConnector } from './store.ts';

function refuse(message: string): never {
  throw new AppError('NOT_FOUND', message);
}

/** The connector with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireConnector(scope: Scope, appId: string, id: string): Promise<ConnectorRow> {
  await requireApp(scope, appId);
  const row = await findConnector(scope, id);
  return row !== undefined && row.appId === appId ? row : refuse('There is no such connector in this app.');
}

/** The same, with the app locked until the transaction ends, so that no import into it runs meanwhile. */
export async function requireLockedConnector(scope: Scope, appId: string, id: string): Promise<ConnectorRow> {
  await requireLockedApp(scope, appId);
  return requireConnector(scope, appId, id);
}

/** The data source with this id, of people or of whatever app; NOT_FOUND for none. */
export async function requireSource(scope: Scope, id: string): Promise<ConnectorRow> {
  return (await findConnector(scope, id)) ?? refuse('There is no such data source.');
}

/** The same, locked until the transaction ends. */
export async function requireLockedSource(scope: Scope, id: string): Promise<ConnectorRow> {
  await lockConnector(scope, id);
  return requireSource(scope, id);
}
