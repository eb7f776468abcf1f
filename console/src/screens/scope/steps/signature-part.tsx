/** Signatures of the reviewers: whether the review asks for them, and how. */
import { Suspense } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

const SignatureFields = lazyPart(() => import('~/app/reviews/signature-fields.tsx').then(({ SignatureFields: component }) => component));

export function SignaturePart({ draft: { review, change, error } }: PartProps) {
  return (
    <div className={styles.fields}>
      <Suspense>
        <SignatureFields value={review.signatureConfig ?? {}} onChange={(signatureConfig) => change({ signatureConfig })} error={error} />
      </Suspense>
    </div>
  );
}
