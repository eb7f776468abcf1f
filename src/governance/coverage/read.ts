/** Reading coverage: of all apps or one, app by app, and the grants with days that are not covered. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type Period, type PeriodRequest, readPeriod } from './period.ts';
import { countMonths, type GapKey, type GapRow, hasApp, listAppsHeld, listGaps, type MonthRow } from './store.ts';

/** Grant-days of a month or a whole period. */
export type Days = Pick<MonthRow, 'certified' | 'removed' | 'notCovered'>;

/** Coverage of an app, or of all. */
export interface Coverage {
  readonly days: Days;
  readonly months: readonly { readonly month: string; readonly days: Days }[];
}

/** Coverage of one app. */
export interface AppCoverage extends Coverage {
  readonly appId: string;
  readonly appDisplayName: string;
}

function sum(rows: readonly MonthRow[]): Coverage {
  const total = (name: keyof Days): number => rows.reduce((all, row) => all + row[name], 0);
  return {
    days: { certified: total('certified'), removed: total('removed'), notCovered: total('notCovered') },
    months: rows.map(({ month, certified, removed, notCovered }) => ({ month, days: { certified, removed, notCovered } })),
  };
}

async function requireApp(context: Context, appId: string): Promise<void> {
  if (!(await hasApp(context, appId))) {
    throw new AppError('NOT_FOUND', 'There is no app with this id.');
  }
}

/** Coverage of a period over all apps, or over one; NOT_FOUND for an app that is not there. */
export async function readCoverage(
  context: Context,
  request: PeriodRequest,
  appId: string,
): Promise<Coverage & { readonly period: Period }> {
  const period = readPeriod(request, context.now);
  if (appId !== '') {
    await requireApp(context, appId);
  }
  return { period, ...sum(await countMonths(context, period, appId === '' ? undefined : [appId])) };
}

/** A page of the apps with access in a period, each with its coverage. */
export async function readApps(context: Context, request: PeriodRequest, after: string, limit: number): Promise<AppCoverage[]> {
  const period = readPeriod(request, context.now);
  const apps = await listAppsHeld(context, period, after, limit);
  const ids = apps.map(({ id }) => id);
  const months = ids.length === 0 ? [] : await countMonths(context, period, ids);
  return apps.map(({ id, displayName }) => ({
    appId: id,
    appDisplayName: displayName,
    ...sum(months.filter(({ appId }) => appId === id)),
  }));
}

/** A page of an app's grants with days that are not covered; NOT_FOUND for an app that is not there. */
export async function readGaps(
  context: Context,
  request: PeriodRequest,
  appId: string,
  after: GapKey | undefined,
  limit: number,
): Promise<GapRow[]> {
  const period = readPeriod(request, context.now);
  await requireApp(context, appId);
  return listGaps(context, period, appId, after, limit);
}
