/** The kinds of objects that the log can be narrowed to. */
import type { EventObject } from '../../../../src/events/index.ts';

export const eventGroups = [
  'review',
  'task',
  'app',
  'user',
  'policy',
  'entitlement',
  'revocation',
  'connector',
  'grants',
  'credential',
  'session',
  'template',
  'report',
  'conflict_monitor',
  'mail',
] as const satisfies readonly EventObject[];
