/** The parts of an app's page, as addresses name them. */
export const tabs = ['entitlements', 'accounts', 'grants', 'changes', 'syncs', 'reviews'] as const;

export type Tab = (typeof tabs)[number];

/** The part that an address names; the first for one that does not exist. */
export function readTab(value: string): Tab {
  return tabs.find((tab) => tab === value) ?? 'entitlements';
}

/** The kinds of accounts, as addresses name them. */
export const accountKinds = ['user', 'service', 'system'] as const;

export type AccountKind = (typeof accountKinds)[number];
