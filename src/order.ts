/**
 * The modules, layer by layer, in the order in which they may know each other: a module stands in the folder of its layer, imports only modules
 * before it, and only through their index.ts (test/house.test.ts holds them to it). To notify a later module, write an event. Nothing runs here.
 */

/** The layers from the ground up, and their modules in order. A module that is not built yet has its place all the same. */
export const layers = {
  foundation: [
    'tenants',
    'authority',
    'rates',
    'audit',
    'log-proofs',
    'deliveries',
    'search',
    'directory',
    'credentials',
    'sessions',
    'second-persons',
    'suspensions',
    'holds',
    'signatures',
  ],
  inventory: [
    'classifications',
    'ledger',
    'catalog',
    'sources',
    'identity',
    'people',
    'grants',
    'access-profiles',
    'syncs',
    'fetches',
    'person-claims',
    'scim',
    'connector-tasks',
  ],
  governance: [
    'policies',
    'conflicts',
    'snapshots',
    'tasks',
    'revocations',
    'reviews',
    'templates',
    'roll-forwards',
    'second-reviews',
    'walkthroughs',
    'coverage',
    'samples',
  ],
  outward: ['reports', 'evidence', 'notifications', 'webhooks', 'erasures', 'person-merges', 'name-merges'],
} as const;

/** Every module in order. */
export const modules: readonly string[] = Object.values(layers).flat();

/**
 * The parts of the modules that are too large for one folder, in the order in which they may know each other: a part is a folder with its own
 * index.ts, and imports only parts before it, only through theirs. Files beside the parts put them together; no part knows them.
 */
export const parts: Readonly<Record<string, readonly string[]>> = {
  audit: ['keys'],
  sources: ['secrets'],
  signatures: ['providers', 'step-up'],
  'log-proofs': ['tree', 'anchors', 'check'],
  tasks: ['task', 'views', 'policy-engine', 'decisions', 'batches', 'steering', 'progress', 'queue'],
  snapshots: ['scope', 'expressions', 'items', 'conditions', 'freeze', 'record'],
  templates: ['record', 'series'],
  reviews: ['record', 'evidence', 'scope', 'arrivals', 'life', 'lists'],
  revocations: ['record', 'sending'],
  sessions: ['session', 'device', 'links', 'sign-in'],
  directory: ['attributes', 'preferences', 'words', 'suspension', 'erasure', 'merging'],
  credentials: ['record', 'settings', 'tokens', 'clients'],
  catalog: ['record', 'owners', 'apps', 'entitlements', 'merging'],
  grants: ['deletion'],
  syncs: ['values', 'columns', 'rows', 'apps', 'record', 'people', 'merge', 'replay', 'rehearsal', 'suggestions'],
  fetches: ['fetchers'],
  scim: ['document'],
  reports: ['links', 'items', 'retention'],
  notifications: ['mailers', 'notices', 'settings'],
};
