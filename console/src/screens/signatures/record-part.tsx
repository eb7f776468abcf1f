/** The record that was signed, as a file whose hash anybody can work out, and the way to the rest of the evidence. */
import { Link } from '@tanstack/react-router';
import { saveFile } from '~/data/save-file.ts';
import type { Signature } from '~/data/reviews/signature.ts';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import styles from './signatures.module.css';

export function RecordPart({ signature, isOwn }: { signature: Signature; isOwn: boolean }) {
  const { id = '', record = '', accessReviewId: reviewId = '' } = signature;
  if (record === '') {
    return null;
  }
  return (
    <section className={styles.record}>
      <h3>{text('signature.record')}</h3>
      <p>{text('signature.recordHow')}</p>
      <div className={styles.actions}>
        {isOwn ? null : (
          <Link to="/evidence/$reviewId" params={{ reviewId }}>
            {text('signature.toEvidence')}
          </Link>
        )}
        <Button icon="download" onClick={() => saveFile(`signature-${id}.json`, new Blob([record], { type: 'application/json' }))}>
          {text('signature.download')}
        </Button>
      </div>
    </section>
  );
}
