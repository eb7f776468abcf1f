/** The door of identity: whose account is whose. */
import type { BoundService } from '../../wire/service.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
