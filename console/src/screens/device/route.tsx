/** Pages to confirm that a program may sign in from a terminal, and to follow a printed address of a task. */
import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { bareRoute } from '~/app/main-route.tsx';
import { word } from '~/app/search.ts';
import { queries } from '~/data/query.ts';
import { sessionQuery } from '~/data/session/session.ts';
import { findTaskPlace } from '~/data/queue/task-place.ts';

export const deviceRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/device',
  validateSearch: object({ code: word }),
  component: lazyPage(() => import('./page.tsx'), 'DevicePage'),
});

const taskRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/task/$task',
  beforeLoad: async ({ params }) => {
    throw redirect({ ...(await findTaskPlace(params.task, await queries.ensureQueryData(sessionQuery))), replace: true });
  },
});

export const routes = [deviceRoute, taskRoute] as const;
