/** Signatures of the reviewers: whether the review asks for them, and how. */
import { SignatureFields } from '~/app/reviews/signature-fields.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

export function SignaturePart({ draft: { review, change, error } }: PartProps) {
  return (
    <div className={styles.fields}>
      <SignatureFields value={review.signatureConfig ?? {}} onChange={(signatureConfig) => change({ signatureConfig })} error={error} />
    </div>
  );
}
