/** My reviews: what is asked, by when, and what came of it. */
import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';
import { HomePage } from './page.tsx';

export const routes = [createRoute({ getParentRoute: () => shellRoute, path: '/home', component: HomePage })] as const;
