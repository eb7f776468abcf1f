/**
 * Keeping how a file was read, where that was found out and not given: the next file of the same source is then read in the same way, or refused.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { type SyncSource, updateColumnMapping } from '../../sources/index.ts';
import type { AskedReading } from './column-mapping.ts';
import type { Mapping } from '../values/index.ts';
import type { ReadFile } from '../rows/index.ts';

/** Adds what was guessed to the mapping of the source, and the order of dates that the file shows. What was asked for with this file alone is not kept. */
export async function keepMapping(
  context: Context,
  source: SyncSource,
  asked: AskedReading,
  { howRead: reading }: ReadFile,
): Promise<void> {
  // An encoding says nothing of columns: a part of a larger file comes with one. Nor does the line of the header.
  const { encoding: _, header_line: __, ...others } = asked.asked;
  if (Object.keys(others).length > 0) {
    return;
  }
  const from = source.columnMapping;
  const dates: Mapping = reading.dateOrder === '' || from.dates !== undefined ? {} : { dates: reading.dateOrder };
  const { encoding: ___, header_line: ____, ...found } = reading.mapping;
  const to = { ...(reading.guessed.length > 0 ? found : {}), ...from, ...dates };
  if (isDeepStrictEqual(from, to)) {
    return;
  }
  await updateColumnMapping(context, source.id, to);
  await recordEvent(context, {
    kind: 'connector.column_mapping_changed',
    targetId: source.id,
    data: { appId: source.appId, displayName: source.displayName, from, to },
  });
}
