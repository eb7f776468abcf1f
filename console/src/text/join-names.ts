import { keepDirection } from './text.ts';

/** Joins names of things that are in each other, such as an app, a resource and an entitlement; none stands beside itself. */
export function joinNames(...names: readonly (string | undefined)[]): string {
  const said = names.filter((name): name is string => name !== undefined && name !== '');
  const apart = said.filter((name, place) => name !== said[place - 1]);
  // In one line, none of them turns what stands beside it.
  return apart.length === 1 ? (apart[0] ?? '') : apart.map(keepDirection).join(' · ');
}

/**
 * Name of a right that stands beside its app. Where a source knows no resource but the app, names of rights begin with it, and a sentence would say it twice.
 */
export function besideApp(app: string | undefined, right: string): string {
  return app !== undefined && app !== '' && right.startsWith(`${app} `) ? right.slice(app.length + 1) : right;
}

/** Joins the name of a resource and that of a right to it, of an app that stands beside: a resource with the name of the app is not said. */
export function joinRight(app: string | undefined, resource: string | undefined, right: string | undefined): string {
  return joinNames(resource === app ? undefined : resource, right);
}
