/** The time zones to choose from: those that the browser knows, and the one that is set. */
export function zoneOptions(set: string): { value: string; label: string }[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(set === '' ? [] : [set])]);
  return [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
