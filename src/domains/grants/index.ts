/** The door of grants: who has what, since when, until when and how. */
import type { BoundService } from '../../wire/service.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
