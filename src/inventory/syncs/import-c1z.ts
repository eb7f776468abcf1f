/** Taking in the file of a Baton connector: its rows take the way of a file of grants, and what it says of itself goes into the sync. */
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { isTimeZone } from '../../lib/wall-time.ts';
import { type GrantsImport, importGrants } from './import-grants.ts';
import type { Companion, SyncRow } from './record/index.ts';
import { expectUpload, openSentC1z, type SentFile } from './rows/index.ts';

/** Request that comes with a c1z. */
export interface C1zImport extends Pick<GrantsImport, 'app' | 'allowRemovals' | 'sourceId' | 'source'> {
  /** Time zone of the connector's host; '' where it is unknown. */
  readonly zone: string;
}

/** Imports a c1z as importGrants does a file of grants. INVALID_ARGUMENT for one that cannot be read, PAYLOAD_TOO_LARGE for one that expands too far. */
export async function importC1z(
  context: Context,
  { app, allowRemovals, sourceId = '', source = '', zone }: C1zImport,
  file: SentFile,
  companion?: Companion,
): Promise<SyncRow> {
  expectUpload(file);
  if (zone !== '' && !isTimeZone(zone)) {
    throw invalidField('zone', 'is not the name of a time zone, such as Europe/Berlin');
  }
  return importGrants(context, { app, allowRemovals, sourceId, source }, openSentC1z(file, zone), companion);
}
