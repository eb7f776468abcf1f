/** Whether a time stamp server gives time stamps that count: found out here, and not by whoever signs first. */
import { useQuery } from '@tanstack/react-query';
import type { LinkOptions } from '@tanstack/react-router';
import { read } from '~/data/query.ts';
import { hostOf } from '~/data/reviews/signature.ts';
import { useMay } from '~/data/session/session.ts';
import { Rich } from '~/text/rich.tsx';
import { Finding } from './finding.tsx';

export function StampFinding({ url, to, way }: { url: string; to: LinkOptions; way: string }) {
  const mayTry = useMay('reviews.create');
  const { data } = useQuery({ ...read('SignatureService.TestTimeStampServer', { url }), enabled: mayTry, retry: false });
  if (data === undefined) {
    return null;
  }
  const { problem = '', mayPass = false } = data;
  return problem === '' ? (
    <Finding kind="ok">
      <Rich id="check.stamped" values={{ host: hostOf(url) }} />
    </Finding>
  ) : (
    <Finding kind={mayPass ? 'warn' : 'no'} to={to} way={way}>
      <Rich id="check.notStamped" values={{ problem }} />
    </Finding>
  );
}
