/**
 * SQL about what became of the occurrences of schedules: the table `template_occurrences`.
 */
import type { Context } from '../../../context.ts';

/** Result of an occurrence (`template_occurrences.outcome`). */
export type OccurrenceOutcome = 'MADE' | 'MISSED' | 'SKIPPED';

/** Time of the latest occurrence of a template, of whatever generation; undefined where there was none. */
export async function findLastOccurrence(context: Context, templateId: string): Promise<Date | undefined> {
  const row = await context.db.one<{ at: Date | null }>(
    'SELECT max(o.occurs_at) AS at FROM template_occurrences o WHERE o.tenant_id = $1 AND o.template_id = $2',
    [context.tenantId, templateId],
  );
  return row.at ?? undefined;
}

/** An occurrence and what became of it. */
export interface Occurrence {
  readonly generation: number;
  readonly number: number;
  readonly occursAt: Date;
  readonly outcome: OccurrenceOutcome;
}

/** Writes down what became of an occurrence; false where that stands there already. */
export async function insertOccurrence(context: Context, templateId: string, occurrence: Occurrence): Promise<boolean> {
  const inserted = await context.db.run(
    `INSERT INTO template_occurrences (tenant_id, template_id, generation, number, occurs_at, outcome, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [context.tenantId, templateId, occurrence.generation, occurrence.number, occurrence.occursAt, occurrence.outcome, context.now],
  );
  return inserted === 1;
}

/** Says which review an occurrence became. */
export async function updateOccurrenceReview(
  context: Context,
  templateId: string,
  at: Pick<Occurrence, 'generation' | 'number'>,
  reviewId: string,
): Promise<void> {
  await context.db.run(
    'UPDATE template_occurrences SET review_id = $5 WHERE tenant_id = $1 AND template_id = $2 AND generation = $3 AND number = $4',
    [context.tenantId, templateId, at.generation, at.number, reviewId],
  );
}
