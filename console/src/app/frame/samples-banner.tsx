/** Says on the pages where somebody begins that what they see are samples, to those who can remove them. */
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import type { ReplyOf } from '~/data/query.ts';
import { Banner } from '~/parts/states/banner.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';

const RemoveSamples = lazyPart(() => import('./remove-samples.tsx').then(({ RemoveSamples: component }) => component));

export function SamplesBanner({ company }: { company: NonNullable<ReplyOf<'SampleService.Get'>['sampleCompany']> }) {
  const [isOpen, setOpen] = useState(false);
  const { people = 0, apps = 0 } = company;
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
      {isOpen ? (
        <Suspense fallback={null}>
          <RemoveSamples company={company} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Banner>
  );
}
