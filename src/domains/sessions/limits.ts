/** How long sessions live in a tenant. Pure. */

/** In seconds. */
export interface SessionLimits {
  /** A session ends when it was not used for so long. */
  readonly idleSeconds: number;
  /** And at the latest so long after signing in. */
  readonly lengthSeconds: number;
}

/** Where a tenant set nothing: half an hour, and a working day. */
export const usualLimits: SessionLimits = { idleSeconds: 1_800, lengthSeconds: 43_200 };

/** When a session was begun and used. */
export interface SessionTimes {
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** When it ends whatever happens, and when it ends unless it is used. */
export function endsOf({ createdAt, lastUsedAt }: SessionTimes, limits: SessionLimits): { expiresAt: Date; idleExpiresAt: Date } {
  const expiresAt = new Date(createdAt.getTime() + limits.lengthSeconds * 1000);
  const idleExpiresAt = new Date(Math.min(expiresAt.getTime(), lastUsedAt.getTime() + limits.idleSeconds * 1000));
  return { expiresAt, idleExpiresAt };
}

/** Why a session is over at this moment; undefined where it is not. */
export function whyOver(times: SessionTimes, limits: SessionLimits, now: Date): 'expired' | 'idle' | undefined {
  const { expiresAt, idleExpiresAt } = endsOf(times, limits);
  if (now >= expiresAt) {
    return 'expired';
  }
  return now >= idleExpiresAt ? 'idle' : undefined;
}
