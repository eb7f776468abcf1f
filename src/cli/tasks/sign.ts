/** Signing what was submitted to a review that asks for signatures: the person proves who they are in a browser, the credential's key signs the record. */
import { ClientError } from '../../client/index.ts';
import type { ErrorCode } from '../../errors.ts';
import { StepUpTransactionService } from '../../gen/c1/api/stepup/v1/stepup_pb.js';
import type { SignatureJson } from '../../gen/countersign/v1/review_pb.js';
import { SignatureService, type SignatureServiceSignResponseJson } from '../../gen/countersign/v1/signatures_pb.js';
import type { Session } from '../frame/commands.ts';
import { CommandFailure, writeLines } from '../frame/io.ts';
import { pauses } from '../frame/wait.ts';

const againBy = (id: string): string => `countersign task sign ${id} tries again`;

/** Says what is signed, waits until the signer has proven who they are, and signs. CommandFailure where they have not. */
export async function signPrepared(session: Session, signature: SignatureJson): Promise<SignatureServiceSignResponseJson> {
  const { io } = session;
  const { id = '', meaning, printedName, certified = '0', denied = '0', redirectUrl = '', stepUpTransactionId = '' } = signature;
  writeLines(io.stderr, `${printedName} signs ${certified} approved, ${denied} denied: "${meaning}"`);
  if (redirectUrl !== '') {
    writeLines(io.stderr, 'Prove who you are within 15 minutes. Open', redirectUrl);
    await awaitStepUp(session, stepUpTransactionId, id);
  }
  return give(session, signature);
}

/** Signs by the step-up that was begun last where it is good still, else by a new one. */
export async function signAgain(session: Session, id: string): Promise<SignatureServiceSignResponseJson> {
  const { signature = {} } = await session.client.call(SignatureService.method.get, { id });
  const { stepUpTransactionId = '', state } = signature;
  if (stepUpTransactionId !== '' && state === 'SIGNATURE_STATE_PREPARED') {
    const { transaction } = await session.client.call(StepUpTransactionService.method.get, { id: stepUpTransactionId });
    if (transaction?.state === 'STEP_UP_TRANSACTION_STATE_VERIFIED') {
      try {
        return await give(session, signature);
      } catch (error) {
        // It is too old, or was begun in a browser.
        if (!(error instanceof ClientError && error.code === ('FAILED_PRECONDITION' satisfies ErrorCode))) {
          throw error;
        }
      }
    }
  }
  const begun = await session.client.call(SignatureService.method.stepUp, { id });
  return signPrepared(session, begun.signature ?? {});
}

async function give({ client, io }: Session, signature: SignatureJson): Promise<SignatureServiceSignResponseJson> {
  const { id = '', stepUpTransactionId = '', record = '' } = signature;
  try {
    return await client.call(SignatureService.method.sign, { id, stepUpTransactionId, credentialSignature: await client.sign(record) });
  } catch (error) {
    // The time stamp server, or something on the way, was slow or down.
    if (error instanceof ClientError && (error.status === 0 || error.status >= 500)) {
      writeLines(io.stderr, `${againBy(id)}, within 15 minutes without another sign-in`);
    }
    throw error;
  }
}

async function awaitStepUp({ client, io }: Session, transactionId: string, signatureId: string): Promise<void> {
  for await (const _ of pauses(io.signal, `not signed: stopped before you came back. ${againBy(signatureId)}`)) {
    const { transaction } = await client.call(StepUpTransactionService.method.get, { id: transactionId });
    if (transaction?.state === 'STEP_UP_TRANSACTION_STATE_VERIFIED') {
      return;
    }
    if (transaction?.state === 'STEP_UP_TRANSACTION_STATE_ERROR') {
      throw new CommandFailure(`not signed: ${transaction.errorMessage} ${againBy(signatureId)}`);
    }
  }
}
