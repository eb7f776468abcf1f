/** The door of attribute values: risk levels and compliance frameworks. */
import type { BoundService } from '../../wire/service.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
