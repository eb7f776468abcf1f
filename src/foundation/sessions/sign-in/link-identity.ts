/** Links the subject of an issuer to a person. The caller writes it in the transaction of what proved the person. */
import type { Context } from '../../../context.ts';
import { recordEvent } from '../../audit/index.ts';
import type { Recognized } from './recognize.ts';
import { updateIdentity } from './store-auth-configs.ts';

/** Subject of an issuer, and the name of its provider. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
  readonly provider: string;
}

/** Remembers that the subject is this person while they have the address that they have now. */
export async function linkIdentity(
  context: Context,
  { issuer, subject, provider }: Subject,
  { user, formerUserId }: Recognized,
): Promise<void> {
  await updateIdentity(context, { issuer, subject, userId: user.id, address: user.email });
  const data = { issuer, provider, address: user.email, ...(formerUserId === '' ? {} : { formerUserId }) };
  await recordEvent(context, { kind: 'user.identity_linked', targetId: user.id, data });
}
