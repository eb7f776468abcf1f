/** Whether the time stamp server of a review gives time stamps that count: found out here, and not by whoever signs first. */
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { hostOf } from '~/data/reviews/signature.ts';
import { useMay } from '~/data/session/session.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import { Finding } from './finding.tsx';

export function StampFinding({ reviewId, review: { signatureConfig = {} } }: { reviewId: string; review: Review }) {
  const { requireSignature = false, tspUrl = '' } = signatureConfig;
  const mayTry = useMay('reviews.create');
  const isAsked = requireSignature && tspUrl !== '' && mayTry;
  const { data } = useQuery({ ...read('SignatureService.TestTimeStampServer', { url: tspUrl }), enabled: isAsked, retry: false });
  if (!isAsked || data === undefined) {
    return null;
  }
  const { problem = '', mayPass = false } = data;
  const to = linkOptions({ to: '/reviews/$reviewId/edit/$part', params: { reviewId, part: 'signature' } });
  return problem === '' ? (
    <Finding kind="ok">
      <Rich id="check.stamped" values={{ host: hostOf(tspUrl) }} />
    </Finding>
  ) : (
    <Finding kind={mayPass ? 'warn' : 'no'} to={to} way={text('check.changeSignature')}>
      <Rich id="check.notStamped" values={{ problem }} />
    </Finding>
  );
}
