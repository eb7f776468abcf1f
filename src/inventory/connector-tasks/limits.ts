/** Limits of connectors: their silence, and the size of what they send. */

/** Seconds after which a connector asks again, as usual and while its source is paused. */
export const nextPollSeconds = { usual: 15, paused: 300 } as const;
/** Seconds after which a connector says again that it is at work. */
export const heartbeatSeconds = 30;
/** A connector that is silent for so long has lost its task. */
export const leaseMs = { SYNC: 5 * 60_000, REVOKE: 10 * 60_000, DELETE: 10 * 60_000 } as const;
/** A task takes at most so long. */
export const longestMs = 6 * 3_600_000;
/** A task whose holders fell silent so often fails. */
export const maxAttempts = 3;
/** Largest file that a connector may upload. */
export const maxUploadBytes = 4 * 1024 ** 3;
/** Bytes that are kept of a log: its end. */
export const maxLogBytes = 64 * 1024;
/** A process that reads an upload holds it for so long, and says so again each third of it. */
export const readingLeaseMs = 60_000;
