/** The systems that a word finds, with the kind that connects each. Pure. */
import { foldForSearch } from '~/data/name-key.ts';
import { text } from '~/text/text.ts';
import { kindsOfSources } from './index.ts';
import type { KindOfSource, System } from './kind.ts';

/** A system, and the way to connect it. */
export interface FoundSystem {
  readonly kind: KindOfSource;
  readonly name: string;
  readonly system: System;
}

/** Returns the name of a system in the language of the page. */
function nameOf({ name }: System): string {
  return typeof name === 'string' ? name : text(name.text);
}

/** 3 where the name is what was written, 2 where it begins so, 1 where a word of it or of its other names does, else 0. */
function rank(written: string, name: string, also: string): number {
  const lower = foldForSearch(name);
  if (lower === written) {
    return 3;
  }
  if (lower.startsWith(written)) {
    return 2;
  }
  const words = `${lower} ${foldForSearch(also)}`.split(/[\s,/.]+/);
  return written.split(/\s+/).every((piece) => words.some((word) => word.startsWith(piece))) ? 1 : 0;
}

/** Returns at most so many systems that a text finds, the likeliest first; none for an empty text. */
export function findSystems(written: string, limit: number): FoundSystem[] {
  const wanted = foldForSearch(written).trim();
  if (wanted === '') {
    return [];
  }
  return kindsOfSources
    .flatMap((kind) => kind.systems.map((system) => ({ kind, system, name: nameOf(system) })))
    .map((found) => ({ ...found, rank: rank(wanted, found.name, found.system.also ?? '') }))
    .filter((found) => found.rank > 0)
    .sort((one, other) => other.rank - one.rank || one.name.localeCompare(other.name))
    .slice(0, limit);
}

/** Returns the system of a kind by the name that an address says; undefined for none. */
export function findSystem(kind: KindOfSource, name: string | undefined): FoundSystem | undefined {
  const system = kind.systems.find((one) => nameOf(one) === name);
  return system === undefined ? undefined : { kind, system, name: nameOf(system) };
}
