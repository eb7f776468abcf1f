/** The door of SCIM 2.0: people and groups that an identity provider pushes. */
import type { BoundService } from '../../wire/service.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
