/**
 * What kinds of resources there are: the traits of resource types. A type made by hand has the one it was made with; a type that an import
 * brought has the one whose word is its name, unless somebody chose others for it.
 */

/** The trait ids, in the order of the contract's enum ResourceType, of which they are the names in lower case. */
export const traitIds: readonly string[] = [
  'role',
  'group',
  'license',
  'project',
  'catalog',
  'custom',
  'vault',
  'profile_type',
  'session_policy',
  'claw_agent',
];
