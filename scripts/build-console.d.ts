/** Whether console/dist is there and was made from the sources as they are now. */
export function isConsoleUpToDate(): boolean;
/** Whether there is something to build from. */
export function hasSources(): boolean;
/** Builds the console. */
export function buildConsole(): { ok: boolean; output: string };
