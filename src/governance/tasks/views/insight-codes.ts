/**
 * Insights in no language: a code for each sentence, with the names of what it says, for clients that write in their own words. Codes and names are
 * part of the contract: they are added to and never renamed.
 */

/** The names of the parameters of each code. Days and counts are decimal numbers, dates are days as 2026-11-24. */
export const insightCodes = {
  LEAVER: ['person'],
  LEAVER_DISABLED: ['person'],
  DENIED_BEFORE: ['person', 'issuer', 'date', 'comment'],
  DENIED_BEFORE_BY_POLICY: ['date', 'comment'],
  DENIED_BEFORE_AT_CLOSE: ['date', 'comment'],
  CONFLICT: [],
  CONFLICT_OF_RULE: ['rule', 'others'],
  ORPHAN: [],
  DORMANT: ['days'],
  PAST_END: ['date'],
  PAST_END_REPORTED: ['date', 'source', 'sync', 'syncDate'],
  RISK: ['level'],
  FORMER_ADDRESS: ['person'],
  OUTLIER_BY_TITLE: ['with', 'of', 'title', 'department'],
  OUTLIER_BY_DEPARTMENT: ['with', 'of', 'department'],
  OUTLIER_BY_MANAGER: ['with', 'of'],
  COMMON_BY_TITLE: ['with', 'of', 'title', 'department'],
  COMMON_BY_DEPARTMENT: ['with', 'of', 'department'],
  COMMON_BY_MANAGER: ['with', 'of'],
  MOVER: ['person', 'departmentWas', 'departmentIs', 'titleWas', 'titleIs', 'managerWas', 'managerIs'],
  NEW: [],
  EXTERNAL: [],
  DISABLED_ACCOUNT: [],
  CERTIFIED_BEFORE: ['person', 'issuer', 'date', 'comment'],
  CERTIFIED_BEFORE_BY_POLICY: ['date', 'comment'],
  CERTIFIED_BEFORE_AT_CLOSE: ['date', 'comment'],
  UNKNOWN_USE: [],
  INHERITED: [],
  INHERITED_THROUGH: ['through', 'others'],
  TEMPORARY: [],
  TEMPORARY_UNTIL: ['date'],
  NO_DESCRIPTION: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Possible changes since the review before. Part of the contract: none is renamed. */
export const changeCodes = [
  'ACCOUNT_STATUS',
  'ACCOUNT_TYPE',
  'OWNER',
  'DEPARTMENT',
  'TITLE',
  'MANAGER',
  'RISK_LEVEL',
  'NOW_INHERITED',
  'NOW_DIRECT',
] as const;
export type ChangeCode = (typeof changeCodes)[number];

/** A sentence. */
export type InsightCode = keyof typeof insightCodes;

/** Values in a sentence, by name. */
export type Values = Readonly<Partial<Record<(typeof insightCodes)[InsightCode][number], string>>>;

/** A code with what is known of its parameters; those that are empty are left out. */
export function insightReason(code: InsightCode, values: Values = {}): { readonly code: InsightCode; readonly parameters: Values } {
  const names: readonly (keyof Values)[] = insightCodes[code];
  return { code, parameters: Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))) };
}
