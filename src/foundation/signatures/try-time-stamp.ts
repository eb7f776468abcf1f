/** Trying a time stamp server out, so that nobody learns behind all their decisions that they cannot sign. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { findUrlProblem } from '../../lib/outgoing.ts';
import { askForTimeStamp, TimeStampUnavailable, TimeStampWrong } from '../../lib/time-stamps/ask.ts';
import { readTrust, type TimeStamp } from '../../lib/time-stamps/verify.ts';
import type { Signing } from './sign.ts';

/** An answer of a server that was tried out: its time stamp, or a sentence on why there is none that counts. */
export type TriedServer =
  | { readonly stamp: TimeStamp }
  | {
      readonly problem: string;
      /** True if it may stamp later with nothing changed here: it is down or slow. */
      readonly mayPass: boolean;
    };

/** What is wrong where the operator named no roots, behind the name of the field. */
export const nothingBelieved = 'names a time stamp server that nothing here believes: the operator names its root with --tsa-roots';

const tried = 32;

/** Asks a server for a time stamp over random bytes, which nobody keeps. Takes 10 s at most, so no transaction may be open. */
export async function tryTimeStampServer({ db }: Context, url: string, { outgoing, clock }: Signing): Promise<TriedServer> {
  const { timeStamps } = db.vault;
  const problem = findUrlProblem(url);
  if (problem !== undefined || timeStamps.pem === '') {
    return { problem: problem === undefined ? `This ${nothingBelieved}.` : `The address ${problem}.`, mayPass: false };
  }
  try {
    return { stamp: await askForTimeStamp({ url, ...(await readTrust(timeStamps)) }, randomBytes(tried), { outgoing, now: clock }) };
  } catch (error) {
    if (error instanceof TimeStampUnavailable) {
      return { problem: error.message, mayPass: error.mayPass };
    }
    if (error instanceof TimeStampWrong) {
      return { problem: error.message, mayPass: false };
    }
    throw error;
  }
}
