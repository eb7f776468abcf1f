/**
 * Apps for the sources of samples: one has at most 1,000, and every operation is asked by everybody. No other sample uses them, since what a source brings
 * changes what can be done in its app.
 */
import type { World } from './world.ts';

const mostPerApp = 500;
const apps = new WeakMap<World, { id: string; sources: number }>();

/** Returns an app with room for so many more sources. */
export async function appForSources(world: World, sources = 1): Promise<string> {
  let app = apps.get(world);
  if (app === undefined || app.sources + sources > mostPerApp) {
    const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/apps', { displayName: `Sources ${Math.random()}` });
    app = { id: body.app.id, sources: 0 };
  }
  apps.set(world, { id: app.id, sources: app.sources + sources });
  return app.id;
}

/** Mail of a Basic User who owns the sources of samples, where a test makes that person. */
export const sourceOwnerEmail = 'keeper@world.example';
const owners = new WeakMap<World, readonly string[]>();

/** Returns who owns the sources of samples; nobody in particular where there is no such person. */
export async function ownersForSources(world: World): Promise<readonly string[]> {
  const known = owners.get(world);
  if (known !== undefined) {
    return known;
  }
  const { admin } = world.tenant;
  const { body } = await world.call(admin, 'POST', '/api/v1/search/users', { email: sourceOwnerEmail });
  const found: readonly string[] = body.list.map((view: { user: { id: string } }) => view.user.id);
  const ids = found.length === 0 ? [] : [admin.id, ...found];
  owners.set(world, ids);
  return ids;
}
