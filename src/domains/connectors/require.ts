/**
 * What must be there for a request about connectors to make sense.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { requireApp, requireLockedApp } from '../catalog/index.ts';
import { type ConnectorRow, findConnector, lockConnector } from './store.ts';

function refuse(message: string): never {
  throw new AppError('NOT_FOUND', message);
}

/** The connector with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireConnector(context: Context, appId: string, id: string): Promise<ConnectorRow> {
  await requireApp(context, appId);
  const row = await findConnector(context, id);
  return row !== undefined && row.appId === appId ? row : refuse('There is no such connector in this app.');
}

/** The same, with the app locked until the transaction ends, so that no import into it runs meanwhile. */
export async function requireLockedConnector(context: Context, appId: string, id: string): Promise<ConnectorRow> {
  await requireLockedApp(context, appId);
  return requireConnector(context, appId, id);
}

/** The data source with this id, of people or of whatever app; NOT_FOUND for none. */
export async function requireSource(context: Context, id: string): Promise<ConnectorRow> {
  return (await findConnector(context, id)) ?? refuse('There is no such data source.');
}

/** The same, locked until the transaction ends. */
export async function requireLockedSource(context: Context, id: string): Promise<ConnectorRow> {
  await lockConnector(context, id);
  return requireSource(context, id);
}
