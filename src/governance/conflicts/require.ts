/** Requirements of a request: monitors and alerts, by id. */
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type AlertRow, findAlert, lockAlert } from './store-alerts.ts';
import { findMonitor, lockMonitor, type MonitorRow } from './store-monitors.ts';

function refuse(message: string): never {
  throw new AppError('NOT_FOUND', message);
}

/** The monitor with this id; NOT_FOUND for none and for a deleted one. */
export async function requireMonitor(context: Context, id: string): Promise<MonitorRow> {
  return (await findMonitor(context, id)) ?? refuse('There is no such monitor.');
}

/** The same, locked until the transaction ends. */
export async function requireLockedMonitor(context: Context, id: string): Promise<MonitorRow> {
  return (await lockMonitor(context, id)) ?? refuse('There is no such monitor.');
}

/** The alert with this id; NOT_FOUND for none. */
export async function requireAlert(context: Context, id: string): Promise<AlertRow> {
  return (await findAlert(context, id)) ?? refuse('There is no such alert.');
}

/** The same, locked until the transaction ends. */
export async function requireLockedAlert(context: Context, id: string): Promise<AlertRow> {
  return (await lockAlert(context, id)) ?? refuse('There is no such alert.');
}
