/** What stands in the side bar, in order: each entry with the permission that shows it. A screen adds its entry here. */
import type { PlainTextKey } from '../text/text.ts';
import type { IconName } from '../parts/icon.tsx';

export interface Entry {
  readonly label: PlainTextKey;
  readonly to: string;
  readonly icon: IconName;
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
      { label: 'nav.home', to: '/home', icon: 'inbox' },
      { label: 'nav.submissions', to: '/my/submissions', icon: 'history' },
      { label: 'nav.access', to: '/my/access', icon: 'key' },
    ],
  },
  {
    label: 'nav.govern',
    entries: [
      { label: 'nav.reviews', to: '/reviews', icon: 'list', needs: 'policies.read' },
      { label: 'nav.templates', to: '/templates', icon: 'calendar', needs: 'policies.read' },
      { label: 'nav.policies', to: '/policies', icon: 'branch', needs: 'policies.read' },
      { label: 'nav.conflicts', to: '/conflicts', icon: 'warning', needs: 'inventory.read' },
      { label: 'nav.revocations', to: '/revocations', icon: 'minus', needs: 'inventory.read' },
    ],
  },
  {
    label: 'nav.inventory',
    entries: [
      { label: 'nav.apps', to: '/apps', icon: 'grid', needs: 'inventory.read' },
      { label: 'nav.people', to: '/people', icon: 'people', needs: 'inventory.read' },
      { label: 'nav.sources', to: '/sources', icon: 'sync', needs: 'inventory.read' },
      { label: 'nav.quality', to: '/quality', icon: 'flag', needs: 'inventory.read' },
    ],
  },
  {
    label: 'nav.prove',
    entries: [
      { label: 'nav.evidence', to: '/evidence', icon: 'shield', needs: 'policies.read' },
      { label: 'nav.log', to: '/log', icon: 'history', needs: 'systemlog.read' },
    ],
  },
  { entries: [{ label: 'nav.settings', to: '/settings', icon: 'sliders' }] },
];

/** The keys that lead to pages, by their address. */
export const goKeys: Readonly<Record<string, string>> = {
  '/home': 'g h',
  '/apps': 'g a',
  '/people': 'g p',
  '/revocations': 'g v',
  '/reviews': 'g r',
};
