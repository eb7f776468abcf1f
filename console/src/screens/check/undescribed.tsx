/** Finding of entitlements that nobody described: reviewers read their names alone. The way to describe them, and a message that asks their owners to. */
import { linkOptions } from '@tanstack/react-router';
import { Copy } from '~/parts/controls/copy.tsx';
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import { Finding } from './finding.tsx';

export function Undescribed({ preview }: { preview: Preview }) {
  const entitlements = count(preview.undescribedEntitlements);
  if (entitlements === 0) {
    return null;
  }
  const [app, ...more] = preview.apps ?? [];
  const page = app === undefined || more.length > 0 ? '/apps' : `/apps/${app.appId}/entitlements`;
  const message = text('check.askOwnersText', { count: entitlements, link: `${window.location.origin}${page}` });
  return (
    <Finding kind="warn" to={linkOptions({ to: '/quality/$tab', params: { tab: 'no-description' } })} way={text('check.describe')}>
      <Rich id="check.undescribed" values={{ entitlements, items: count(preview.undescribedItems) }} /> {text('check.askOwners')}{' '}
      <Copy label={text('check.askOwnersWhat')} value={message} />
    </Finding>
  );
}
