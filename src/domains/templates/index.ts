/** The public interface of the module templates: its services and jobs, and templates for replies that are expanded with them. */
export { jobKinds } from './jobs.ts';
export { templateLoader } from './list.ts';
export { lookConflictsKind } from './look-conflicts.ts';
export { lookKind } from './look.ts';
export { services } from './service.ts';
export { tickKind } from './tick.ts';
