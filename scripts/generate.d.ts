// The types of what tests use of generate.js.
export function isUpToDate(): boolean;
