/** One search over everything, for the palette: what is found, each with its address. */
import { linkOptions, type LinkOptions } from '@tanstack/react-router';
import type { IconName } from '~/parts/words/icon.tsx';
import { call } from './query.ts';

export interface Found {
  readonly id: string;
  readonly kind: 'people' | 'accounts' | 'apps' | 'entitlements' | 'reviews';
  readonly label: string;
  /** Distinguishing mark, such as a title or the app. */
  readonly hint: string;
  readonly icon: IconName | 'initials';
  readonly to: LinkOptions;
}

const words = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join(', ');
const ownAccess = linkOptions({ to: '/my/access' });

/** Up to five of each kind. `mayRead` says whether the person reads the inventory and reviews of everybody. */
export async function searchAll(query: string, mayRead: boolean, signal: AbortSignal): Promise<readonly Found[]> {
  const found = await call('SearchAllService.SearchAll', { query }, { signal });
  const people = (found.people ?? []).map(
    (one): Found => ({
      id: one.userId ?? '',
      kind: 'people',
      label: one.displayName || one.email || '',
      hint: words(one.jobTitle, one.department),
      icon: 'initials',
      to: mayRead ? linkOptions({ to: '/people/$person', params: { person: one.userId ?? '' } }) : ownAccess,
    }),
  );
  const accounts = (found.accounts ?? []).map(
    (one): Found => ({
      id: `${one.appId}/${one.appUserId}`,
      kind: 'accounts',
      label: one.account || one.displayName || '',
      hint: words(one.appDisplayName, one.person),
      icon: 'key',
      to: mayRead
        ? linkOptions({ to: '/apps/$app/$tab', params: { app: one.appId ?? '', tab: 'accounts' }, search: { q: one.account } })
        : ownAccess,
    }),
  );
  const apps = (found.apps ?? []).map(
    (one): Found => ({
      id: one.appId ?? '',
      kind: 'apps',
      label: one.displayName ?? '',
      hint: one.description ?? '',
      icon: 'grid',
      to: linkOptions({ to: '/apps/$app', params: { app: one.appId ?? '' } }),
    }),
  );
  const entitlements = (found.entitlements ?? []).map(
    (one): Found => ({
      id: `${one.appId}/${one.appEntitlementId}`,
      kind: 'entitlements',
      label: one.displayName ?? '',
      hint: words(one.appDisplayName, one.resourceDisplayName),
      icon: 'key',
      to: linkOptions({ to: '/apps/$app/$tab', params: { app: one.appId ?? '', tab: 'entitlements' }, search: { q: one.displayName } }),
    }),
  );
  const reviews = (found.reviews ?? []).map(
    (one): Found => ({
      id: one.accessReviewId ?? '',
      kind: 'reviews',
      label: one.displayName ?? '',
      hint: '',
      icon: 'list',
      to: mayRead
        ? linkOptions({ to: '/reviews/$reviewId', params: { reviewId: one.accessReviewId ?? '' } })
        : linkOptions({ to: '/r/$review', params: { review: one.accessReviewId ?? '' } }),
    }),
  );
  return [...people, ...accounts, ...apps, ...entitlements, ...reviews];
}
