/** The door of the audit room: writing events, and the system log service that lists them. */
export { recordEvent, recordOccurrence, type NewEvent } from './record-event.ts';
export { services } from './service.ts';
