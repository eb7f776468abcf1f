/** Sources as a caller sees them now: with what the caller may do, and when each fetches next. */
import type { Source } from '../../gen/countersign/v1/connectors_pb.js';
import type { Context } from '../../context.ts';
import type { Row } from '../../wire/row.ts';
import { findTimeZone } from '../../foundation/tenants/index.ts';
import { findRunSources } from './stand-to-source.ts';
import type { SourceRow } from './store.ts';
import { shapeSource } from './view.ts';

/** Shapes sources. */
export async function viewSources(context: Context, rows: readonly SourceRow[]): Promise<Row<Source>[]> {
  const run = await findRunSources(
    context,
    rows.map(({ id }) => id),
  );
  const zone = await findTimeZone(context.db, context.tenantId);
  return rows.map((row) => shapeSource(row, { now: context.now, zone, mayRun: run.has(row.id) }));
}
