/** True if console/dist is there and made from the sources as they are now. */
export function isConsoleUpToDate(): boolean;
/** True if there is something to build from. */
export function hasSources(): boolean;
/** Builds the console. */
export function buildConsole(): { ok: boolean; output: string };
