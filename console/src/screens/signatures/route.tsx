/** One signature: what waits to be signed, signing it once the provider has proven who signs, and what came of it. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { word } from '~/app/search.ts';
import { readAhead } from '~/data/query.ts';
import { signatureQuery } from '~/data/reviews/signature.ts';

export const signatureRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/signatures/$id',
  // The step-up that the signer comes back from.
  validateSearch: object({ transaction: word }),
  loader: ({ cause, params }) => readAhead(cause, signatureQuery(params.id)),
  component: lazyPage(() => import('./page.tsx'), 'SignaturePage'),
});

export const routes = [signatureRoute] as const;
