/** Says on the pages where somebody begins that what they see are samples, to those who can remove them. */
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../data/query.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Rich } from '../text/rich.tsx';
import { text } from '../text/text.ts';
import { RemoveSamples } from './remove-samples.tsx';

/** Elsewhere the names say it. */
const pages = new Set(['/home', '/start', '/reviews', '/apps', '/people']);

export function SamplesBanner() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isHere = pages.has(path);
  const company = useQuery({ ...read('SampleService.Get', {}), staleTime: 60_000, enabled: isHere, retry: false }).data?.sampleCompany;
  const [isOpen, setOpen] = useState(false);
  const { people = 0, apps = 0 } = company ?? {};
  if (!isHere || company === undefined || people + apps === 0) {
    return null;
  }
  return (
    <Banner
      kind="info"
      icon="bolt"
      action={
        <Button variant="quiet" onClick={() => setOpen(true)}>
          {text('samples.remove')}
        </Button>
      }
    >
      <Rich id="samples.banner" values={{ people, apps }} />
      {isOpen ? <RemoveSamples company={company} onClose={() => setOpen(false)} /> : null}
    </Banner>
  );
}
