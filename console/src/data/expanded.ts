/** Objects that a reply has beside its rows: a path such as `$.expanded[3]` leads to one. */
interface Named {
  readonly id?: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly username?: string;
  readonly jobTitle?: string;
  readonly description?: string;
}

/** The object at a path, said to be of a type; undefined where there is none. */
export function expandedAt<T = Named>(expanded: readonly unknown[] | undefined, path: string | undefined): T | undefined {
  const place = /\[(\d+)/.exec(path ?? '')?.[1];
  return place === undefined ? undefined : (expanded?.[Number(place)] as T | undefined);
}
