/**
 * SQL texts prepared once per connection and reused: those seen at least twice, the first 1000 of them. No text holds a value or grows with a list,
 * but a search has one for each set of filters that somebody asks for, and there are more sets than a connection has memory for. A text beyond the
 * bound is planned each time, for its values.
 */
import { createHash } from 'node:crypto';

const maxNamed = 1000;
const maxSeenOnce = 5000;
const names = new Map<string, string>();
const seenOnce = new Set<string>();

/** The name to prepare this text under, or undefined where it should not be. The same text has the same name in every process. */
export function nameStatement(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined) {
    return known;
  }
  if (!seenOnce.delete(sql)) {
    if (seenOnce.size >= maxSeenOnce) {
      seenOnce.clear();
    }
    seenOnce.add(sql);
    return undefined;
  }
  if (names.size >= maxNamed) {
    return undefined;
  }
  const name = `cs_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
  names.set(sql, name);
  return name;
}
