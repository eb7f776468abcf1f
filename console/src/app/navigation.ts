/** Contents of the side bar, in order: each entry with the permission that shows it. A screen adds its entry here. */
import type { LinkOptions } from '@tanstack/react-router';
import type { PlainTextKey } from '~/text/text.ts';
import type { IconName } from '~/parts/words/icon.tsx';

/** The path of a page, as its route says it. */
export type PagePath = NonNullable<LinkOptions['to']>;

export interface Entry {
  readonly label: PlainTextKey;
  readonly to: PagePath;
  readonly icon: IconName;
  /** The keys that lead there. */
  readonly keys?: string;
  /** Shown to everybody where absent. */
  readonly needs?: string;
}

export interface Section {
  readonly label?: PlainTextKey;
  readonly entries: readonly Entry[];
}

export const navigation: readonly Section[] = [
  {
    entries: [
      { label: 'nav.home', to: '/home', icon: 'inbox', keys: 'g h' },
      { label: 'nav.submissions', to: '/my/submissions', icon: 'history' },
      { label: 'nav.access', to: '/my/access', icon: 'key' },
    ],
  },
  {
    label: 'nav.govern',
    entries: [
      { label: 'nav.reviews', to: '/reviews', icon: 'list', needs: 'policies.read', keys: 'g r' },
      { label: 'nav.templates', to: '/templates', icon: 'calendar', needs: 'policies.read' },
      { label: 'nav.policies', to: '/policies', icon: 'branch', needs: 'policies.read' },
      { label: 'nav.conflicts', to: '/conflicts', icon: 'warning', needs: 'inventory.read' },
      { label: 'nav.revocations', to: '/revocations', icon: 'minus', needs: 'inventory.read', keys: 'g v' },
    ],
  },
  {
    label: 'nav.inventory',
    entries: [
      { label: 'nav.apps', to: '/apps', icon: 'grid', needs: 'inventory.read', keys: 'g a' },
      { label: 'nav.people', to: '/people', icon: 'people', needs: 'inventory.read', keys: 'g p' },
      { label: 'nav.sources', to: '/sources', icon: 'sync', needs: 'inventory.read' },
      { label: 'nav.quality', to: '/quality', icon: 'flag', needs: 'inventory.read' },
    ],
  },
  {
    label: 'nav.prove',
    entries: [
      { label: 'nav.evidence', to: '/evidence', icon: 'shield', needs: 'policies.read' },
      { label: 'nav.coverage', to: '/coverage', icon: 'calendar', needs: 'coverage.read' },
      { label: 'nav.log', to: '/log', icon: 'history', needs: 'systemlog.read' },
    ],
  },
  { entries: [{ label: 'nav.settings', to: '/settings', icon: 'sliders' }] },
];
