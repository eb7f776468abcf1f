/** One search over everything, for the palette: what is found, each with its address. */
import type { IconName } from '../parts/icon.tsx';
import { call } from './query.ts';

export interface Found {
  readonly id: string;
  readonly kind: 'people' | 'accounts' | 'apps' | 'entitlements' | 'reviews';
  readonly label: string;
  /** What distinguishes it, such as a title or the app. */
  readonly hint: string;
  readonly icon: IconName | 'initials';
  readonly to: string;
}

const words = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join(', ');
const path = (...parts: readonly (string | undefined)[]): string => parts.map((part) => `/${encodeURIComponent(part ?? '')}`).join('');

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
      to: mayRead ? path('people', one.userId) : '/my/access',
    }),
  );
  const accounts = (found.accounts ?? []).map(
    (one): Found => ({
      id: `${one.appId}/${one.appUserId}`,
      kind: 'accounts',
      label: one.account || one.displayName || '',
      hint: words(one.appDisplayName, one.person),
      icon: 'key',
      to: mayRead ? `${path('apps', one.appId, 'accounts')}?q=${encodeURIComponent(one.account ?? '')}` : '/my/access',
    }),
  );
  const apps = (found.apps ?? []).map(
    (one): Found => ({
      id: one.appId ?? '',
      kind: 'apps',
      label: one.displayName ?? '',
      hint: one.description ?? '',
      icon: 'grid',
      to: path('apps', one.appId),
    }),
  );
  const entitlements = (found.entitlements ?? []).map(
    (one): Found => ({
      id: `${one.appId}/${one.appEntitlementId}`,
      kind: 'entitlements',
      label: one.displayName ?? '',
      hint: words(one.appDisplayName, one.resourceDisplayName),
      icon: 'key',
      to: `${path('apps', one.appId, 'entitlements')}?q=${encodeURIComponent(one.displayName ?? '')}`,
    }),
  );
  const reviews = (found.reviews ?? []).map(
    (one): Found => ({
      id: one.accessReviewId ?? '',
      kind: 'reviews',
      label: one.displayName ?? '',
      hint: '',
      icon: 'list',
      to: mayRead ? path('reviews', one.accessReviewId) : path('r', one.accessReviewId),
    }),
  );
  return [...people, ...accounts, ...apps, ...entitlements, ...reviews];
}
