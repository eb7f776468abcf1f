/** Loads what opens over a page: beforehand where the connection may go, or when it is wanted first. */
export const loadOverPage = () => import('./over-page.ts');
