/** Lifetime of sessions in a tenant. Pure. */

/** In seconds. */
export interface SessionLimits {
  /** A session ends when it was not used for so long. */
  readonly idleSeconds: number;
  /** And at the latest so long after signing in. */
  readonly lengthSeconds: number;
}

/** Limits where a tenant set nothing: half an hour, and a working day. */
export const usualLimits: SessionLimits = { idleSeconds: 1_800, lengthSeconds: 43_200 };

/** The moments from which the limits of a session count. */
export interface SessionTimes {
  readonly boundAt: Date;
  readonly lastUsedAt: Date;
}

/** Returns its end whatever happens, and its end unless it is used. */
export function sessionEnds({ boundAt, lastUsedAt }: SessionTimes, limits: SessionLimits): { expiresAt: Date; idleExpiresAt: Date } {
  const expiresAt = new Date(boundAt.getTime() + limits.lengthSeconds * 1000);
  const idleExpiresAt = new Date(Math.min(expiresAt.getTime(), lastUsedAt.getTime() + limits.idleSeconds * 1000));
  return { expiresAt, idleExpiresAt };
}

/** Finds why a session is over at this moment; undefined where it is not. */
export function whyOver(times: SessionTimes, limits: SessionLimits, now: Date): 'expired' | 'idle' | undefined {
  const { expiresAt, idleExpiresAt } = sessionEnds(times, limits);
  if (now >= expiresAt) {
    return 'expired';
  }
  return now >= idleExpiresAt ? 'idle' : undefined;
}
