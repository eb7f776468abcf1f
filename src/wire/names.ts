/** The two spellings of a field's name, as proto3 JSON turns one into the other, and of an enum's values. Names of one message are in plan.ts. */

/** scopeV2 -> scope_v2; what is snake_case already stays. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** scope_v2 -> scopeV2; what is lowerCamel already stays. */
export function lowerCamel(name: string): string {
  return name.replace(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The value of an enum without what all its names begin with, as columns have it: bareName('MATCH_RULE_', 'MATCH_RULE_EMAIL') is 'EMAIL'. */
export function bareName<P extends string, N extends string>(prefix: P, name: N) {
  return name.replace(prefix, '') as N extends `${P}${infer T}` ? T : never;
}
