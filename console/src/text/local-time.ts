/** Moments as fields of date and time write them: without a zone, in that of the browser. */

/** Formats a moment for a field; empty for none. */
export function toLocal(value: string | undefined): string {
  if (value === undefined || value === '') {
    return '';
  }
  const moment = new Date(value);
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The moment that a field says; undefined for an empty one or one that is not whole. */
export function fromLocal(value: string): string | undefined {
  const moment = new Date(value);
  return value === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
