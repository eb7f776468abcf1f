/** Findings about the signatures that a review asks for: what they will prove, and what they will not. */
import { linkOptions } from '@tanstack/react-router';
import type { Preview, Review } from '~/data/reviews/review.ts';
import type { ByValue } from '~/text/by-value.ts';
import { Rich } from '~/text/rich.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { Finding } from './finding.tsx';
import { StampFinding } from './stamp-finding.tsx';

const reasons: ByValue<NonNullable<Preview['signatureProblems']>[number], PlainTextKey> = {
  SIGNATURE_PROBLEM_MEANING_MISSING: 'check.noMeaning',
  SIGNATURE_PROBLEM_PROVIDER_UNKNOWN: 'check.providerGone',
  SIGNATURE_PROBLEM_PROVIDER_DISABLED: 'check.providerOff',
  SIGNATURE_PROBLEM_ROOTS_MISSING: 'check.noRoots',
};

export function SignatureFindings({ reviewId, review, preview }: { reviewId: string; review: Review; preview: Preview }) {
  const { requireSignature = false, stepUpProviderId = '', tspUrl = '' } = review.signatureConfig ?? {};
  if (!requireSignature) {
    return null;
  }
  const change = {
    to: linkOptions({ to: '/reviews/$reviewId/edit/$part', params: { reviewId, part: 'signature' } }),
    way: text('check.changeSignature'),
  };
  const problems = preview.signatureProblems ?? [];
  return (
    <>
      {problems.map((problem) => (
        <Finding key={problem} kind="no" {...change}>
          <Rich id={reasons[problem] ?? 'check.cannotBeSigned'} />
        </Finding>
      ))}
      {stepUpProviderId === '' ? (
        <Finding kind="warn" {...change}>
          <Rich id="check.signedBySession" />
        </Finding>
      ) : problems.some((problem) => problem.startsWith('SIGNATURE_PROBLEM_PROVIDER')) ? null : (
        <Finding kind="ok">
          <Rich id="check.signedAtProvider" />
        </Finding>
      )}
      {tspUrl === '' ? (
        <Finding kind="warn" {...change}>
          <Rich id="check.stampedByNobody" />
        </Finding>
      ) : problems.includes('SIGNATURE_PROBLEM_ROOTS_MISSING') ? null : (
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
