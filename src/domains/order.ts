/**
 * The rooms, floor by floor, in the order in which they may know each other: a room imports only rooms before it, and only through
 * their index.ts (test/house.test.ts holds them to it). To tell a later room something, write an event. Nothing runs here.
 */

/** The floors from the ground up, and their rooms in order. A room that is not built yet has its place all the same. */
export const floors = {
  foundation: ['tenants', 'audit', 'search', 'directory', 'credentials', 'signatures'],
  inventory: ['attributes', 'catalog', 'connectors', 'identity', 'grants', 'profiles', 'imports', 'scim'],
  governance: ['policies', 'conflicts', 'tasks', 'reviews', 'templates'],
  outward: ['reports', 'notifications', 'webhooks'],
} as const;

/** Every room in order. */
export const rooms: readonly string[] = Object.values(floors).flat();
