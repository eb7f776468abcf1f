/** The lists of data quality, as addresses name them. */
export const tabs = ['leavers', 'nobody', 'ambiguous', 'disputed', 'look-alikes', 'no-manager', 'no-description', 'stale'] as const;

export type Tab = (typeof tabs)[number];

/** The list that an address names; the first for one that does not exist. */
export function readTab(value: string): Tab {
  return tabs.find((tab) => tab === value) ?? 'leavers';
}
