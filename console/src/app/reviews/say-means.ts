/** The means of a signature, in words: how the signer proved who they are. */
import { hostOf, type Signature } from '~/data/reviews/signature.ts';
import { text } from '~/text/text.ts';

type Means = Pick<Signature, 'byCredential' | 'issuerUrl' | 'stepUpProviderId' | 'stepUpProviderDisplayName'>;

/** Names the provider: by its present name, and by its host once it proved something. */
function nameProvider({ issuerUrl = '', stepUpProviderDisplayName = '' }: Means): string {
  const host = hostOf(issuerUrl);
  if (stepUpProviderDisplayName === '') {
    return host;
  }
  return host === '' ? stepUpProviderDisplayName : `${stepUpProviderDisplayName} (${host})`;
}

/** Returns the means by which a signature was given, or is to be given. */
export function sayMeans(signature: Means): string {
  const { byCredential = false, issuerUrl = '', stepUpProviderId = '' } = signature;
  if (issuerUrl === '' && stepUpProviderId === '') {
    return text(byCredential ? 'signature.byKey' : 'signature.bySessionAlone');
  }
  const provider = nameProvider(signature);
  const means = provider === '' ? text('signature.signingInAgain') : text('signature.signingInAt', { provider });
  return byCredential ? text('signature.withKey', { means }) : means;
}
