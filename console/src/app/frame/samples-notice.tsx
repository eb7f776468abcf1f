/** Looks whether there are samples, on the pages where somebody begins; what is said of them comes only where there are. */
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { read } from '~/data/query.ts';

const SamplesBanner = lazyPart(() => import('./samples-banner.tsx').then(({ SamplesBanner: component }) => component));

/** Elsewhere the names say it. */
const pages = new Set(['/home', '/start', '/reviews', '/apps', '/people']);

export function SamplesNotice() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isHere = pages.has(path);
  const company = useQuery({ ...read('SampleService.Get', {}), staleTime: 60_000, enabled: isHere, retry: false }).data?.sampleCompany;
  if (!isHere || company === undefined || (company.people ?? 0) + (company.apps ?? 0) === 0) {
    return null;
  }
  return (
    <Suspense fallback={null}>
      <SamplesBanner company={company} />
    </Suspense>
  );
}
