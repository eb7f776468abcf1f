/** Changes by an update, as events record them. */
import { isDeepStrictEqual } from 'node:util';

type ValueOf<Document> = Exclude<Document[keyof Document], undefined>;

/** Differences between two documents. */
export interface DocumentChange<Document> {
  /** The members that differ, sorted; empty where nothing does. */
  readonly fields: readonly (keyof Document & string)[];
  /** Those of them that were there before, as they were. */
  readonly from: Record<string, ValueOf<Document>>;
  /** Those that are there now. */
  readonly to: Record<string, ValueOf<Document>>;
}

/** Compares two documents member by member, each member whole. */
export function compareDocuments<Document extends object>(before: Document, after: Document): DocumentChange<Document> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Document & string)[]);
  const fields = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
  const pick = (document: Document) =>
    Object.fromEntries(fields.filter((name) => Object.hasOwn(document, name)).map((name) => [name, document[name] as ValueOf<Document>]));
  return { fields, from: pick(before), to: pick(after) };
}
