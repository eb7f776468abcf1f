/** The means of a signature, in words: how the signer proved who they are. */
import { hostOf, type Signature } from '~/data/reviews/signature.ts';
import { text } from '~/text/text.ts';

type Means = Pick<Signature, 'byCredential' | 'issuerUrl' | 'stepUpProviderId' | 'stepUpProviderDisplayName'>;

/** Returns the means by which a signature was given, or is to be given. */
export function sayMeans(signature: Means): string {
  const { byCredential, issuerUrl = '', stepUpProviderId, stepUpProviderDisplayName: name } = signature;
  if (!stepUpProviderId) {
    return text(byCredential ? 'signature.byKey' : 'signature.bySessionAlone');
  }
  // By its present name, and by its host once it proved something.
  const host = hostOf(issuerUrl);
  const provider = name && host ? `${name} (${host})` : name || host;
  const means = provider ? text('signature.signingInAt', { provider }) : text('signature.signingInAgain');
  return byCredential ? text('signature.withKey', { means }) : means;
}
