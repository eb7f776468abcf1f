/** Sends a signer to the provider of their review, or not where it asks for none. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findProvider } from './providers/index.ts';
import { requirePrepared, type Signing } from './sign.ts';
import { beginStepUp, type BegunStepUp } from './step-up/index.ts';
import type { SignatureRow } from './store.ts';
import { viewSignature } from './view.ts';

/**
 * Begins a step-up for what waits to be signed; where the review asks for none, there is nowhere to go. With no transaction open. FAILED_PRECONDITION
 * where the provider is gone, and as `beginStepUp` throws.
 */
export async function beginSigning(
  context: Context,
  signature: SignatureRow,
  { client }: Signing,
  baseUrl: string,
  task: { readonly taskId?: string; readonly policyStepId?: string } = {},
): Promise<BegunStepUp> {
  requirePrepared(signature, context.now);
  const { id: signatureId, providerId, recordSha256 } = signature;
  if (providerId === '') {
    return { transactionId: '', redirectUrl: '' };
  }
  const provider = await findProvider(context, providerId);
  if (provider === undefined) {
    throw new AppError('FAILED_PRECONDITION', 'The step-up provider of this review is gone. Ask an administrator.');
  }
  return beginStepUp(context, client, provider, { signatureId, recordSha256, ...task }, baseUrl);
}

/** Sends the signer to the provider, and shows the signature with where they go. */
export async function beginAndView(context: Context, baseUrl: string, signature: SignatureRow, signing: Signing) {
  const { redirectUrl, transactionId } = await beginSigning(context, signature, signing, baseUrl);
  return viewSignature({ ...signature, transactionId }, context.now, redirectUrl);
}
