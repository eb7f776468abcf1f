/** Changes by an update, as events record them. */
import { isDeepStrictEqual } from 'node:util';

/** A JSON object; this file knows nothing of where it comes from. */
type Document<Value> = Readonly<Record<string, Value>>;

/** Differences between two documents. */
export interface DocumentChange<Value> {
  /** The members that differ, sorted; empty where nothing does. */
  readonly fields: readonly string[];
  /** Those of them that were there before, as they were. */
  readonly from: Record<string, Value>;
  /** Those that are there now. */
  readonly to: Record<string, Value>;
}

/** Compares two documents member by member, each member whole. */
export function compareDocuments<Value>(before: Document<Value>, after: Document<Value>): DocumentChange<Value> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const fields = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
  const pick = (document: Document<Value>) =>
    Object.fromEntries(fields.filter((name) => Object.hasOwn(document, name)).map((name) => [name, document[name] as Value]));
  return { fields, from: pick(before), to: pick(after) };
}
