/** Keys that the records of a pushed user gave to people until now: accounts that were found by them are matched again where they change. */
import type { Context } from '../../context.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { listPersonKeys, type PersonKeys } from '../identity/index.ts';
import type { Correlation, PushedRecord } from '../people/index.ts';

/** People whose records those are. */
export interface KeysOfRecords {
  readonly ids: readonly string[];
  /** The keys of these people; left out where the record says the same as before. */
  readonly keys: readonly PersonKeys[];
  /** True if the record is the same person's, and says nothing else by which accounts are matched. */
  readonly isSame: boolean;
}

/** Reads them before the records are written. */
export async function listKeysOfRecords(
  context: Context,
  push: PushedRecord,
  { record, former, userId }: Correlation,
): Promise<KeysOfRecords> {
  const ids = [...new Set([record?.userId, former?.userId])].filter((id) => id != null);
  const isSame =
    record !== undefined &&
    former === undefined &&
    record.state === 'LIVE' &&
    record.userId === userId &&
    getAddressKey(record.email) === getAddressKey(push.email) &&
    getAddressKey(record.username) === getAddressKey(push.username) &&
    record.employeeId === push.employeeId;
  return { ids, keys: isSame || ids.length === 0 ? [] : await listPersonKeys(context, ids), isSame };
}
