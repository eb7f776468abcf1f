/** The door of connectors: the records of data sources. */
import type { BoundService } from '../../wire/service.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
