/** Settings of a review about signatures, as rows of facts: what each gives, and what is missing where it is not set. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { useMay } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';

interface Fact {
  readonly term: string;
  readonly children: string;
}

/** Returns the rows: one alone where the review asks for no signatures. */
export function useSignatureFacts({ signatureConfig }: Pick<Review, 'signatureConfig'>): readonly Fact[] {
  const { requireSignature = false, meaningOfSignature = '', stepUpProviderId: id = '', tspUrl = '' } = signatureConfig ?? {};
  const mayRead = useMay('policies.read');
  const provider = useQuery({
    ...read('StepUpProviderService.Get', { id }),
    enabled: requireSignature && mayRead && id !== '',
    retry: false,
  }).data?.stepUpProvider?.displayName;
  if (!requireSignature) {
    return [{ term: text('signature.title'), children: '–' }];
  }
  return [
    { term: text('signature.title'), children: text('signature.quoted', { meaning: meaningOfSignature }) },
    {
      term: text('signature.provider'),
      children: id === '' ? text('signature.sessionAlone') : (provider ?? text('signature.signingInAgain')),
    },
    { term: text('signature.tspUrl'), children: tspUrl === '' ? text('signature.serverTime') : tspUrl },
  ];
}
