/** Signing what was submitted to a review that asks for signatures: the person proves who they are in a browser, the credential's key signs the record. */
import { StepUpTransactionService } from '../../gen/c1/api/stepup/v1/stepup_pb.js';
import type { SignatureJson } from '../../gen/countersign/v1/review_pb.js';
import { SignatureService, type SignatureServiceSignResponseJson } from '../../gen/countersign/v1/signatures_pb.js';
import type { Session } from '../frame/commands.ts';
import { CommandFailure, writeLines } from '../frame/io.ts';
import { pauses } from '../frame/wait.ts';

/** Says what is signed, waits until the signer has proven who they are, and signs. CommandFailure where they have not. */
export async function signPrepared({ client, io }: Session, signature: SignatureJson): Promise<SignatureServiceSignResponseJson> {
  const {
    id = '',
    meaning,
    printedName,
    certified = '0',
    denied = '0',
    redirectUrl = '',
    stepUpTransactionId = '',
    record = '',
  } = signature;
  writeLines(io.stderr, `${printedName} signs ${certified} approved, ${denied} denied: "${meaning}"`);
  if (redirectUrl !== '') {
    writeLines(io.stderr, 'Prove who you are within 15 minutes. Open', redirectUrl);
    await awaitStepUp({ client, io }, stepUpTransactionId, id);
  }
  const credentialSignature = await client.sign(record);
  return client.call(SignatureService.method.sign, { id, stepUpTransactionId, credentialSignature });
}

async function awaitStepUp({ client, io }: Session, transactionId: string, signatureId: string): Promise<void> {
  for await (const _ of pauses(io.signal)) {
    const { transaction } = await client.call(StepUpTransactionService.method.get, { id: transactionId });
    if (transaction?.state === 'STEP_UP_TRANSACTION_STATE_VERIFIED') {
      return;
    }
    if (transaction?.state === 'STEP_UP_TRANSACTION_STATE_ERROR') {
      throw new CommandFailure(`not signed: ${transaction.errorMessage} countersign task sign ${signatureId} tries again`);
    }
  }
}
