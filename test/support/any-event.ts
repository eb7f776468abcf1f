/** Writing events of kinds that are in no catalogue: tests of the log itself have their own, so that nothing else follows them. */
import type { Context } from '../../src/context.ts';
import * as audit from '../../src/foundation/audit/index.ts';
import * as jobs from '../../src/jobs/index.ts';

interface AnyEvent {
  readonly kind: string;
  readonly targetType?: string;
  readonly targetId?: string;
  readonly reviewId?: string;
  readonly data?: object;
}
type Write = (context: Context, event: AnyEvent) => Promise<string>;

export const recordEvent = audit.recordEvent as Write;
export const recordOccurrence = audit.recordOccurrence as Write;
export const recordEventWith = audit.recordEventWith as <T>(
  context: Context,
  event: AnyEvent,
  work: (insert: audit.EventInsert) => Promise<T>,
) => Promise<T>;
/** A reaction to such events. */
export const on = jobs.on as (kinds: readonly string[], decide: Parameters<typeof jobs.on>[1]) => jobs.Reaction;
