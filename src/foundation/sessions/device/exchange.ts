/** A program's question whether its sign-in was confirmed (RFC 8628 sections 3.4 and 3.5), and the session that it gets then. */
import { type Context, inTransaction } from '../../../context.ts';
import { findUser, holdPerson } from '../../directory/index.ts';
import {
  type NoteFailure,
  type StartedSession,
  hashSecret,
  findLiveSession,
  findRefusal,
  findSession,
  isSecret,
  refusalMessages,
  startSession,
  whyEnds,
} from '../session/index.ts';
import { findDeviceClient } from './clients.ts';
import { type DeviceError, deviceError } from './errors.ts';
import { type DeviceGrantRow, lockByDevice, removeDeviceGrant, updatePolled } from './store.ts';

/** A program that asks too early waits so much longer from then on. */
const slowerSeconds = 5;
/** Networks bring two questions closer together than they were sent. */
const toleranceMs = 1_000;

/** Begins the session of a program whose code was confirmed; says what is missing otherwise. A code gives one session. */
export function exchangeDevice(
  context: Context,
  clientId: string,
  deviceCode: string,
  note: NoteFailure,
): Promise<StartedSession | DeviceError> {
  return inTransaction(context, async (inside) => {
    const row = isSecret(deviceCode) ? await lockByDevice(inside, hashSecret(deviceCode)) : undefined;
    if (row === undefined || row.clientId !== clientId) {
      return deviceError('invalid_grant', 'This device_code is not known, or was used before.');
    }
    if (row.expiresAt <= inside.now) {
      await removeDeviceGrant(inside, row.id);
      return deviceError('expired_token', 'The code was not confirmed in time. Start again.');
    }
    if (row.state === 'PENDING') {
      return wait(inside, row);
    }
    await removeDeviceGrant(inside, row.id);
    if (row.state === 'DENIED') {
      return deviceError('access_denied', 'The sign-in was refused in the browser.');
    }
    return begin(inside, row, note);
  });
}

async function wait(context: Context, row: DeviceGrantRow): Promise<DeviceError> {
  const since = row.polledAt ?? row.createdAt;
  const isTooEarly = context.now.getTime() - since.getTime() < row.intervalSeconds * 1000 - toleranceMs;
  await updatePolled(context, row.id, row.intervalSeconds + (isTooEarly ? slowerSeconds : 0));
  return isTooEarly
    ? deviceError('slow_down', `Ask ${slowerSeconds} seconds less often.`)
    : deviceError('authorization_pending', 'Nobody has confirmed the code yet.');
}

/** The session gives what that of the browser gave which confirmed it, and not without that one. */
async function begin(context: Context, row: DeviceGrantRow, note: NoteFailure): Promise<StartedSession | DeviceError> {
  await holdPerson(context, row.userId);
  const live = await findLiveSession(context, row.sessionId);
  const confirming = live === undefined ? undefined : await findSession(context, live.tokenHash, false);
  const user = await findUser(context, row.userId);
  // Nobody may have used that one since it was over, so that it is not ended yet.
  const isOver = confirming === undefined || whyEnds(confirming, context.now) !== undefined;
  if (isOver || user === undefined || confirming.userId !== user.id) {
    return deviceError('access_denied', 'The session that confirmed the code has ended. Start again.');
  }
  const refusal = await findRefusal(context, user, confirming.issuerId);
  if (refusal !== undefined) {
    note({ how: 'device', why: refusal, userId: user.id });
    return deviceError('access_denied', refusalMessages[refusal]);
  }
  const displayName = findDeviceClient(row.clientId)?.displayName ?? row.clientId;
  return startSession(context, {
    user,
    issuerId: confirming.issuerId,
    how: 'DEVICE',
    provider: { id: '', displayName },
    browser: row.agent === '' ? displayName : `${displayName}, ${row.agent}`,
    boundAt: confirming.boundAt,
    provenAt: confirming.provenAt,
  });
}
