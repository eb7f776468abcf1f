/** Showing a person the program that asks to act as them, and their answer. The caller is somebody who is signed in with a browser. */
import { AppError } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { clientPlace } from '../../../lib/place.ts';
import { recordEvent } from '../../audit/index.ts';
import { findDeviceClient } from './clients.ts';
import { type DeviceGrantRow, findByUserCode, updateAnswer } from './store.ts';
import { readUserCode, showUserCode } from './user-code.ts';

/** A sign-in as the page shows it. */
export interface ShownDevice {
  readonly userCode: string;
  readonly program: string;
  readonly agent: string;
  readonly address: string;
  /** True if the browser asks from the same place: an IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly isFromHere: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** One message for every code that is not good, so that nobody learns which codes there are. */
async function requirePending(context: Context, typed: string): Promise<DeviceGrantRow> {
  const code = readUserCode(typed);
  const found = code === undefined ? undefined : await findByUserCode(context, code);
  if (found === undefined || found.state !== 'PENDING' || found.expiresAt <= context.now) {
    throw new AppError('NOT_FOUND', 'This code is not known, was answered already, or has expired. Start again in the terminal.');
  }
  return found;
}

const programOf = (row: DeviceGrantRow): string => findDeviceClient(row.clientId)?.displayName ?? row.clientId;

/** Returns what asks; NOT_FOUND for a code that is not waiting. */
export async function showDevice(context: Context, typed: string): Promise<ShownDevice> {
  const row = await requirePending(context, typed);
  return {
    userCode: showUserCode(row.userCode),
    program: programOf(row),
    agent: row.agent,
    address: row.address,
    isFromHere: row.address !== '' && clientPlace(row.address) === clientPlace(context.actor.sourceIp),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** Takes the answer of the caller; NOT_FOUND for a code that is not waiting. */
export function answerDevice(context: Context, typed: string, isApproved: boolean): Promise<void> {
  return inTransaction(context, async (inside) => {
    const row = await requirePending(inside, typed);
    if (!(await updateAnswer(inside, row.id, isApproved ? 'APPROVED' : 'DENIED'))) {
      throw new AppError('NOT_FOUND', 'This code was answered already. Start again in the terminal.');
    }
    await recordEvent(inside, {
      kind: isApproved ? 'device_grant.approved' : 'device_grant.denied',
      targetId: row.id,
      data: { program: programOf(row), address: row.address },
    });
  });
}
