/**
 * The modules, layer by layer, in the order in which they may know each other: a module imports only modules before it, and only through
 * their index.ts (test/house.test.ts holds them to it). To notify a later module, write an event. Nothing runs here.
 */

/** The layers from the ground up, and their modules in order. A module that is not built yet has its place all the same. */
const layers = {
  foundation: ['tenants', 'audit', 'deliveries', 'search', 'directory', 'credentials', 'sessions', 'signatures'],
  inventory: ['classifications', 'catalog', 'ledger', 'sources', 'identity', 'grants', 'access-profiles', 'syncs', 'scim'],
  governance: ['policies', 'conflicts', 'tasks', 'revocations', 'reviews', 'templates', 'roll-forwards', 'second-reviews', 'samples'],
  outward: ['reports', 'notifications', 'webhooks'],
} as const;

/** Every module in order. */
export const modules: readonly string[] = Object.values(layers).flat();
