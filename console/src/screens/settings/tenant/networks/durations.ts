/** Durations as the API has them, in seconds with an s, and as a form shows them: a number of minutes or hours. */

/** So many of a unit, for a field; empty where nothing is set. */
export function shownIn(duration: string | undefined, unitSeconds: number): string {
  const seconds = Number((duration ?? '').replace(/s$/, ''));
  return duration === undefined || !Number.isFinite(seconds) ? '' : String(Number((seconds / unitSeconds).toFixed(4)));
}

/** Reads a duration for the API: undefined for an empty field. What is no number stays as it is, for the server to refuse. */
export function durationOf(written: string, unitSeconds: number): string | undefined {
  const trimmed = written.trim();
  return trimmed === '' ? undefined : `${Math.round(Number(trimmed) * unitSeconds)}s`;
}
