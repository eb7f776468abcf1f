/** Signature that a review asks for, before it is given: its meaning, the signer's name, and what happens when they sign. */
import { SignatureBox } from '~/app/reviews/signature-box.tsx';
import { hostOf } from '~/data/reviews/signature.ts';
import { useSession } from '~/data/session/session.ts';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import type { ReviewInfo } from '~/screens/queue/use-review-info.ts';

export function SignatureAsked({ info }: { info: ReviewInfo | undefined }) {
  const { meaningOfSignature = '', stepUpProviderId = '', tspUrl = '' } = info?.signatureConfig ?? {};
  const session = useSession();
  const provider = info?.signature?.providerDisplayName ?? '';
  if (info?.signature?.maySign === false) {
    return <Note kind="warn">{text('signature.cannotSign')}</Note>;
  }
  return (
    <SignatureBox
      title={text('signature.yours')}
      meaning={meaningOfSignature}
      name={[session?.name, session?.jobTitle].filter(Boolean).join(', ')}
      time={tspUrl === '' ? text('signature.whenSigned') : text('signature.whenStamped', { host: hostOf(tspUrl) })}
      proof={
        stepUpProviderId === ''
          ? text('signature.bySession')
          : provider === ''
            ? text('signature.signingInAgain')
            : text('signature.signingInAt', { provider })
      }
    />
  );
}
