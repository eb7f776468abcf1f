/** One text for one JSON value, whatever the order of its members: for hashes and comparison, not for the wire. */

/** JSON with members in the order of their names' code units and without those that are undefined. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null';
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(',')}]`;
  }
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`)
    .join(',')}}`;
}
