/** Entries of the palette for what was written: pages that the person may see, and what the server found. */
import type { LinkOptions } from '@tanstack/react-router';
import { foldForSearch } from '~/data/name-key.ts';
import type { Found } from '~/data/search.ts';
import type { Session } from '~/data/session/session.ts';
import type { IconName } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import { navigation } from '~/app/navigation.ts';

export interface Entry {
  readonly id: string;
  readonly group: 'go' | Found['kind'];
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName | 'initials';
  readonly keys?: string | undefined;
  readonly to: LinkOptions;
}

interface Sources {
  readonly query: string;
  readonly session: Session | undefined;
  readonly found: readonly Found[];
}

export function paletteEntries({ query, session, found }: Sources): readonly Entry[] {
  const wanted = foldForSearch(query);
  const matches = (label: string): boolean => foldForSearch(label).includes(wanted);
  const pages = navigation
    .flatMap(({ entries }) => entries)
    .filter(({ needs }) => needs === undefined || session?.permissions.has(needs) === true)
    .map(
      (one): Entry => ({
        id: `go ${one.to}`,
        group: 'go',
        label: text(one.label),
        hint: '',
        icon: one.icon,
        keys: one.keys,
        to: { to: one.to },
      }),
    );
  const results = found.map((one): Entry => ({ ...one, id: `${one.kind} ${one.id}`, group: one.kind }));
  return [...pages.filter(({ label }) => matches(label)), ...results];
}
