/** The public interface of the module audit: writing events, and the system log service that lists them. */
export { recordEvent, recordOccurrence } from './record-event.ts';
export { services } from './service.ts';
export { recordTenantCreated, recordTenantDeleted } from './tenant-events.ts';
