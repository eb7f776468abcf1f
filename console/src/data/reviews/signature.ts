/** Signatures as the console reads them: the set-up of a review, the providers that prove who signs, and one signature. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { pageRows, useFurtherPages } from '~/data/pages.ts';
import { read, readPages, type ReplyOf } from '~/data/query.ts';
import type { Review } from './review.ts';

export type SignatureConfig = NonNullable<Review['signatureConfig']>;
export type Signature = NonNullable<ReplyOf<'SignatureService.Get'>['signature']>;

/** The step-up providers that a review may ask for. */
export const stepUpProvidersQuery = read('StepUpProviderService.List', { pageSize: 100 });

/** One signature, or what waits to be signed. */
export const signatureQuery = (id: string) => read('SignatureService.Get', { id });

/** The signatures that were given in a review, or of one of its tasks, oldest first; none where it asks for none. */
export function useSignatures(
  reviewId: string,
  { signatureConfig }: Pick<Review, 'signatureConfig'>,
  taskId?: string,
): readonly Signature[] {
  const isAsked = signatureConfig?.requireSignature === true;
  const of = { accessReviewId: reviewId, ...(taskId === undefined ? {} : { taskId }) };
  const query = useInfiniteQuery({ ...readPages('SignatureService.List', { ...of, pageSize: 100 }), enabled: isAsked });
  useFurtherPages(query, isAsked, 10);
  return pageRows<Signature>(query.data).filter(({ state }) => state === 'SIGNATURE_STATE_SIGNED');
}

/** True for a signature that acknowledges the decisions of others. */
export const isAcknowledgement = ({ kind }: Pick<Signature, 'kind'>): boolean => kind === 'SIGNATURE_KIND_ACKNOWLEDGEMENT';

/** Host of an address; the address itself where it is none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
