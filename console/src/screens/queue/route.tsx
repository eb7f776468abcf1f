/** The queue of a review, and its summary before it is submitted. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { bareRoute } from '~/app/main-route.tsx';
import { readAddress } from './address.ts';

export const queueRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/r/$review',
  validateSearch: readAddress,
  component: lazyPage(() => import('./page.tsx'), 'QueuePage'),
});

const submitRoute = createRoute({ getParentRoute: () => queueRoute, path: '/submit', component: () => null });

export const routes = [queueRoute.addChildren([submitRoute])] as const;
