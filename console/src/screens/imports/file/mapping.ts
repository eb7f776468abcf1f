/** Mapping of the columns of a file: what was found, what somebody chose instead, and both as the server takes them. */
import type { ReplyOf } from '~/data/query.ts';

export type Inspection = ReplyOf<'ColumnMappingService.Inspect'>;
/** Wanted field -> column of the file, `=text` for all rows; `field:value` -> meaning; `dates`, `encoding`. */
export type Mapping = Readonly<Record<string, string>>;

/** A column of the file as it stands in the list. */
export interface ColumnRow {
  readonly column: string;
  readonly sample: string;
  /** The field it fills; empty for an attribute. */
  readonly field: string;
  readonly why: 'name' | 'usual' | 'guess' | 'chosen' | 'kept';
}

/** Finds how to read a file where nobody chose anything: the saved or proposed mapping, and columns that have the wanted name. */
export function foundMapping(inspection: Inspection): Record<string, string> {
  const byName = Object.fromEntries(
    (inspection.suggestions ?? []).filter(({ from }) => !from?.startsWith('=')).map(({ column, from }) => [column ?? '', from ?? '']),
  );
  const used = inspection.used ?? {};
  return Object.keys(used).length > 0 ? { ...used } : { ...byName };
}

/** The columns of a value of the mapping: several may be joined. */
function columnsIn(from: string): string[] {
  return from.startsWith('=') ? [] : from.split(/[+|]/).map((one) => one.trim().toLowerCase());
}

/** The columns of the file, each with a value of it and what it is read as. */
export function columnRows(inspection: Inspection, mapping: Mapping, chosen: ReadonlySet<string>): ColumnRow[] {
  return (inspection.columns ?? [])
    .filter((column) => column !== '')
    .map((column) => {
      const field =
        Object.keys(mapping).find(
          (one) => !one.includes(':') && !options.includes(one) && columnsIn(mapping[one] ?? '').includes(column.toLowerCase()),
        ) ?? '';
      const confidence = Number(inspection.suggestions?.find((one) => one.column === field)?.confidence ?? 0);
      const why = chosen.has(column) ? 'chosen' : field === '' ? 'kept' : confidence >= 100 ? 'name' : confidence >= 90 ? 'usual' : 'guess';
      return { column, sample: sampleOf(inspection, column, field), field, why };
    });
}

function sampleOf(inspection: Inspection, column: string, field: string): string {
  // A field of a few meanings shows the word of the file.
  const own = inspection.reading?.values?.find((one) => one.column === field)?.value;
  if (own) {
    return own;
  }
  for (const row of inspection.rows ?? []) {
    const value = row.others?.[column] || (field === '' ? '' : row.values?.[field]);
    if (value) {
      return value;
    }
  }
  return '';
}

/** The entry that leaves columns out; several columns may be in it. */
export const leftOut = 'ignore';
/** Entries that are about no column of the file. */
const options = ['split', 'dates', 'encoding', 'preset', 'domains', 'header_line'];

/** Another field for a column: who had the field before, and what the column was, are left. */
export function withColumn(mapping: Mapping, column: string, field: string): Record<string, string> {
  const next: Record<string, string> = {};
  const others = (mapping[leftOut] ?? '').split('|').filter((one) => one !== '' && one.toLowerCase() !== column.toLowerCase());
  for (const [name, from] of Object.entries(mapping)) {
    const isKept = name.includes(':') || options.includes(name) || !columnsIn(from).includes(column.toLowerCase());
    if (name !== leftOut && name !== field && isKept) {
      next[name] = from;
    }
  }
  if (field === leftOut) {
    return { ...next, [leftOut]: [...others, column].join('|') };
  }
  return { ...next, ...(others.length > 0 && { [leftOut]: others.join('|') }), ...(field !== '' && { [field]: column }) };
}

/** The field whose cells hold several values; empty for none. */
export function splitIn(mapping: Mapping): string {
  return /^(resource|entitlement)/.exec(mapping['split'] ?? '')?.[1] ?? '';
}

/** The mapping with a field whose cells hold several values with commas between, or without one. */
export function withSplit(mapping: Mapping, field: string): Record<string, string> {
  const { split: _, ...others } = mapping as Record<string, string>;
  return field === '' ? others : { ...others, split: field };
}

/** A refusal without the mapping in JSON that other clients are offered. */
export function withoutProposal(reason: string): string {
  return reason
    .replace(/; a proposed column mapping, to be checked and saved: \{.*?\}( \(without a guess: [^)]*\))?/s, '')
    .replace(/; say which column it is, such as map=.*?header_line=N/, '');
}

/** As requests take it. */
export function asTexts(mapping: Mapping): string[] {
  return Object.entries(mapping).map(([name, from]) => `${name}=${from}`);
}

/** Texts that stand for a field in all rows. */
export function constantsIn(mapping: Mapping): [field: string, value: string][] {
  return Object.entries(mapping)
    .filter(([name, from]) => !name.includes(':') && from.startsWith('='))
    .map(([name, from]) => [name, from.slice(1)]);
}
