/** The parts of a person's page, as addresses name them. */
export const tabs = ['time', 'now', 'accounts', 'reviews', 'facts'] as const;

export type Tab = (typeof tabs)[number];

/** The part that an address names; the first for one that does not exist. */
export function readTab(value: string): Tab {
  return tabs.find((tab) => tab === value) ?? 'time';
}
