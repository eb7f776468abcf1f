/** The door of the catalog: apps and what belongs to them. */
export { ensureApp, type FillableApp } from './create-app.ts';
export { type AppRow, findApp, listAppsByIds } from './store-apps.ts';
