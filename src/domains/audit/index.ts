/** The public interface of the module audit: writing events, and the system log service that lists them. */
export { emptyEvents, findOldestFull } from './empty-events.ts';
export {
  type EventInsert,
  type NewEvent,
  recordEvent,
  recordEvents,
  recordEventsOfRows,
  recordEventWith,
  recordOccurrence,
} from './record-event.ts';
export { createSealer, type Sealer } from './sealer.ts';
export { services } from './service.ts';
export { recordTenantCreated, recordTenantDeleted } from './tenant-events.ts';
export { withoutFractions } from './without-fractions.ts';
