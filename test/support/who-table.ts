/**
 * The table of evidence, written down a second time: whose a record is that its source did not report before. It knows nothing of how the server finds
 * out, and is held against it by people-table.test.ts.
 */

/** Somebody who is known, as they stand when a record comes. */
export interface Known {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly employeeId: string;
  /** Disabled, deleted or TERMINATED. */
  readonly isGone: boolean;
  /** Ids by which the provider that reports the record knows them. */
  readonly externalIds: readonly string[];
}

/** A record with a new anchor; '' for what it does not say. */
export interface NewRecord {
  readonly name: string;
  readonly address: string;
  readonly employeeId: string;
  readonly externalId: string;
}

/** Result of the table. */
export type Judged =
  | { readonly is: 'same'; readonly id: string }
  /** Somebody who left, and whose address moves on. */
  | { readonly is: 'new'; readonly leaverId: string }
  | { readonly is: 'disputed'; readonly ids: readonly string[] };

const same = (id: string): Judged => ({ is: 'same', id });
const disputed = (...ids: string[]): Judged => ({ is: 'disputed', ids: [...new Set(ids)].sort() });
/** Letters of any case, and what nobody sees, are the same address. */
const plain = (address: string): string =>
  address
    .replace(/[\u200b\u00a0\ufeff]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** Judges a record, row by row of the table. */
export function judge(record: NewRecord, people: readonly Known[]): Judged {
  const byId = record.employeeId === '' ? [] : people.filter((one) => one.employeeId === record.employeeId);
  const holder = record.address === '' ? undefined : people.find((one) => plain(one.address) === plain(record.address));
  if (byId.length > 1) {
    return disputed(...byId.map((one) => one.id), ...(holder === undefined ? [] : [holder.id]));
  }
  const [named] = byId;
  if (named !== undefined) {
    return holder === undefined || holder === named ? same(named.id) : disputed(named.id, holder.id);
  }
  if (holder === undefined) {
    return { is: 'new', leaverId: '' };
  }
  const contradicts =
    (record.employeeId !== '' && holder.employeeId !== '') ||
    (record.externalId !== '' && holder.externalIds.some((one) => one !== record.externalId));
  if (contradicts) {
    return holder.isGone ? { is: 'new', leaverId: holder.id } : disputed(holder.id);
  }
  return !holder.isGone || holder.name === record.name ? same(holder.id) : disputed(holder.id);
}
