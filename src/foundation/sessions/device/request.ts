/** Beginning a sign-in from a terminal (RFC 8628 section 3.1): a program gets its code, and one that a person compares. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { hashSecret, makeSecret } from '../session/index.ts';
import { findDeviceClient } from './clients.ts';
import { type DeviceError, deviceError } from './errors.ts';
import { insertDeviceGrant, removeOldDeviceGrants } from './store.ts';
import { makeUserCode, showUserCode } from './user-code.ts';

/** A person has so long to sign in and to confirm. */
export const deviceSeconds = 900;
/** A program asks again after so long. */
export const deviceIntervalSeconds = 5;
/** Of those whose time is long over, so many go with each new one. */
const maxRemoved = 20;
const longestAgent = 200;
/** Of 20^8 codes a few thousand are taken at most. */
const maxTries = 5;

/** Returns the time before which sign-ins have to have ended to go: a program that slept is still answered that its time is over. */
export const longOver = (now: Date): Date => new Date(now.getTime() - 3_600_000);

/** Both codes of a sign-in. */
export interface BegunDevice {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Begins one; `invalid_client` for a program that is not known. The context has no actor yet. */
export async function beginDevice(context: Context, clientId: string, agent: string): Promise<BegunDevice | DeviceError> {
  if (findDeviceClient(clientId) === undefined) {
    return deviceError('invalid_client', 'No program with this client_id may sign in from a terminal.');
  }
  await removeOldDeviceGrants(context, longOver(context.now), maxRemoved);
  for (let tries = 0; tries < maxTries; tries++) {
    const deviceCode = makeSecret();
    const userCode = makeUserCode();
    const isAdded = await insertDeviceGrant(context, {
      id: newId(context.now),
      deviceHash: hashSecret(deviceCode),
      userCode,
      clientId,
      address: context.actor.sourceIp,
      agent: agent.slice(0, longestAgent),
      intervalSeconds: deviceIntervalSeconds,
      expiresAt: new Date(context.now.getTime() + deviceSeconds * 1000),
    });
    if (isAdded) {
      return { deviceCode, userCode: showUserCode(userCode) };
    }
  }
  return deviceError('temporarily_unavailable', 'No code is free. Try again.', 503);
}
