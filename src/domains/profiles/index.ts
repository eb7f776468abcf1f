/** The door of access profiles, which the public API calls request catalogs. */
import type { BoundService } from '../../wire/service.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
