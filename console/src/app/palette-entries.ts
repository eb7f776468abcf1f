/** What the palette offers for what was written: commands of the page, pages that the person may see, and what the server found. */
import type { Found } from '../data/search.ts';
import type { Session } from '../data/session.ts';
import type { IconName } from '../parts/icon.tsx';
import { text } from '../text/text.ts';
import type { Command } from './commands.ts';
import { goKeys, navigation } from './navigation.ts';

export interface Entry {
  readonly id: string;
  readonly group: 'do' | 'go' | Found['kind'];
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName | 'initials';
  readonly keys?: string | undefined;
  /** Where it leads; otherwise `run` does it. */
  readonly to?: string | undefined;
  readonly run?: (() => void) | undefined;
}

interface Sources {
  readonly query: string;
  readonly session: Session | undefined;
  readonly commands: readonly Command[];
  readonly found: readonly Found[];
}

export function entriesOf({ query, session, commands, found }: Sources): readonly Entry[] {
  const matches = (label: string): boolean => label.toLocaleLowerCase().includes(query.toLocaleLowerCase());
  const toDo = commands.map(
    (one): Entry => ({
      id: `do ${one.label}`,
      group: 'do',
      label: one.label,
      hint: one.hint ?? '',
      icon: one.icon ?? 'bolt',
      keys: one.keys,
      run: one.run,
    }),
  );
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
        keys: goKeys[one.to],
        to: one.to,
      }),
    );
  const results = found.map((one): Entry => ({ ...one, id: `${one.kind} ${one.id}`, group: one.kind }));
  return [...toDo.filter(({ label }) => matches(label)), ...pages.filter(({ label }) => matches(label)), ...results];
}
