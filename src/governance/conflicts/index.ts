/** The public interface of access conflicts: who holds together what monitors say nobody should. */
import type { JobKind } from '../../jobs/index.ts';
import { checkJob, checkKind, detectJob, detectKind, tickJob, tickKind } from './detect.ts';

export { deleteMonitor } from './change-monitor.ts';
export { checkKind, detectKind, tickKind } from './detect.ts';
export { exemptCertified } from './exempt.ts';
export { services } from './service.ts';
export { getActiveConflictGrantsSql, type GrantPlace, listConflictsOfGrants } from './store-alerts.ts';
export { getDetectedGrantsSql, usualSettings, wholeSettings } from './store-found.ts';
export { moveAlerts, moveMonitored } from './store-merge.ts';
export { listEnabledMonitors } from './store-monitors.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [detectKind, detectJob],
  [checkKind, checkJob],
  [tickKind, tickJob],
]);
export { conflictSlot } from './slots.ts';
