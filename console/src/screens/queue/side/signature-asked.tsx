/** Signature that a review asks for, before it is given: its meaning, the signer's name, and what happens when they sign. */
import { useQuery } from '@tanstack/react-query';
import { SignatureBox } from '~/app/reviews/signature-box.tsx';
import { read } from '~/data/query.ts';
import { hostOf, type SignatureConfig } from '~/data/reviews/signature.ts';
import { useMay, useSession } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';

export function SignatureAsked({ config }: { config: SignatureConfig }) {
  const { meaningOfSignature = '', stepUpProviderId = '', tspUrl = '' } = config;
  const session = useSession();
  // Reviewers without further roles do not read providers; they are told that they sign in again.
  const mayRead = useMay('policies.read');
  const provider = useQuery({
    ...read('StepUpProviderService.Get', { id: stepUpProviderId }),
    enabled: mayRead && stepUpProviderId !== '',
  }).data?.stepUpProvider?.displayName;
  return (
    <SignatureBox
      remark={text('signature.askedFor')}
      meaning={meaningOfSignature}
      name={[session?.name, session?.jobTitle].filter(Boolean).join(', ')}
      time={tspUrl === '' ? text('signature.whenSigned') : text('signature.whenStamped', { host: hostOf(tspUrl) })}
      proof={
        stepUpProviderId === ''
          ? text('signature.bySession')
          : provider === undefined
            ? text('signature.signingInAgain')
            : text('signature.signingInAt', { provider })
      }
    />
  );
}
