/** Findings about the signatures that a review asks for: what they will prove, and what they will not. */
import { linkOptions } from '@tanstack/react-router';
import type { Preview, Review } from '~/data/reviews/review.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import { Finding } from './finding.tsx';
import { StampFinding } from './stamp-finding.tsx';

export function SignatureFindings({ reviewId, review, preview }: { reviewId: string; review: Review; preview: Preview }) {
  const { requireSignature = false, stepUpProviderId = '', tspUrl = '' } = review.signatureConfig ?? {};
  if (!requireSignature) {
    return null;
  }
  const change = {
    to: linkOptions({ to: '/reviews/$reviewId/edit/$part', params: { reviewId, part: 'signature' } }),
    way: text('check.changeSignature'),
  };
  return (
    <>
      {stepUpProviderId === '' ? (
        <Finding kind="warn" {...change}>
          <Rich id="check.signedBySession" />
        </Finding>
      ) : (
        <Finding kind="ok">
          <Rich id="check.signedAtProvider" />
        </Finding>
      )}
      {tspUrl === '' ? (
        <Finding kind="warn" {...change}>
          <Rich id="check.stampedByNobody" />
        </Finding>
      ) : (
        <StampFinding url={tspUrl} {...change} />
      )}
      {preview.reach?.signsIn === false ? (
        <Finding kind="warn" to={linkOptions({ to: '/settings/tenant/providers' })} way={text('check.toProviders')}>
          <Rich id="check.nobodySigns" />
        </Finding>
      ) : null}
    </>
  );
}
