/**
 * Expansion: related objects that the client asked for, each once in `expanded`, and the path every view points at its own with.
 * Which objects a view is related to is said by the modules; how they are loaded, by the loaders that app.ts registers.
 */
import type { DescMessage, Message, MessageShape } from '@bufbuild/protobuf';
import type { Context } from '../context.ts';
import { snakeCase } from './names.ts';
import type { Packed, Row } from './row.ts';

/** The objects of one type by id, as rows of their message; ids that do not exist (for this caller) are left out. */
export type Loader<M extends Message> = (context: Context, ids: readonly string[]) => Promise<Map<string, Row<M>>>;

/** A loader with the type that it loads. */
export interface TypeLoader {
  readonly desc: DescMessage;
  readonly load: (context: Context, ids: readonly string[]) => Promise<ReadonlyMap<string, object>>;
}

/** Loaders by the full name of the type they load. */
export type Loaders = ReadonlyMap<string, TypeLoader>;

/** The entry of a loader among loaders. */
export function loads<D extends DescMessage>(desc: D, load: Loader<MessageShape<D>>): readonly [string, TypeLoader] {
  return [desc.typeName, { desc, load: load as TypeLoader['load'] }];
}

/** Objects that a reply is related to under one path of the expand mask. */
export interface Wanted {
  /** snake_case, as in the expand mask: created_by_id. */
  readonly path: string;
  /** Full name of the message type: c1.api.user.v1.User. */
  readonly type: string;
  /** May hold duplicates and empty strings. */
  readonly ids: readonly string[];
}

/** Result of an expansion. */
export interface Expanded {
  /** Each object once, with its type. */
  readonly expanded: Packed[];
  /** Path of the object of this path and id (`$.expanded[0]`), '' where it was not expanded or does not exist. */
  pathOf(path: string, id: string): string;
}

/** One JSONPath for several objects of `expanded`: `$.expanded[0,2]`; those that were not expanded are left out, '' where none was. */
export function joinPaths(paths: readonly string[]): string {
  const indexes = paths.flatMap((path) => /\[(\d+)\]$/.exec(path)?.[1] ?? []);
  return indexes.length === 0 ? '' : `$.expanded[${indexes.join(',')}]`;
}

const nothing: Expanded = { expanded: [], pathOf: () => '' };

/**
 * Loads what was asked for: one call of a loader for each type. `*` asks for everything; a path is understood in both spellings; one
 * that means nothing here brings nothing, as unknown fields do. A type without a loader brings nothing.
 */
export async function expand(
  context: Context,
  loaders: Loaders,
  wanted: readonly Wanted[],
  requested: readonly string[] | undefined,
): Promise<Expanded> {
  if (requested === undefined || requested.length === 0) {
    return nothing;
  }
  const asked = new Set(requested.map(snakeCase));
  const chosen = asked.has('*') ? wanted : wanted.filter((one) => asked.has(one.path));
  const idsByType = new Map<string, Set<string>>();
  for (const { type, ids } of chosen) {
    const known = idsByType.get(type) ?? new Set();
    for (const id of ids) {
      if (id !== '') {
        known.add(id);
      }
    }
    idsByType.set(type, known);
  }
  const expanded: Packed[] = [];
  const placeByType = new Map<string, Map<string, string>>();
  for (const [type, ids] of idsByType) {
    const loader = loaders.get(type);
    if (loader === undefined || ids.size === 0) {
      continue;
    }
    const found = await loader.load(context, [...ids]);
    const places = new Map<string, string>();
    for (const id of ids) {
      const object = found.get(id);
      if (object !== undefined) {
        places.set(id, `$.expanded[${expanded.length}]`);
        expanded.push({ desc: loader.desc, row: object });
      }
    }
    placeByType.set(type, places);
  }
  return {
    expanded,
    pathOf(path, id) {
      for (const one of chosen) {
        const place = one.path === path ? placeByType.get(one.type)?.get(id) : undefined;
        if (place !== undefined) {
          return place;
        }
      }
      return '';
    },
  };
}
