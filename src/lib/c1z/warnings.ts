/** Things that are left out of a c1z, counted: one sentence for each kind, with the first of it. */

const sentences = {
  emptyPrincipal: (count: number, first: string) => `${grants(count)} no principal, so they were left out; first: ${first}`,
  missingPrincipal: (count: number, first: string) =>
    `${grants(count)} a principal that is not in the file, so they were left out; first: ${first}`,
  missingEntitlement: (count: number, first: string) =>
    `${grants(count)} an entitlement that is not in the file, so they were left out; first: ${first}`,
  missingResource: (count: number, first: string) =>
    `entitlements of resources that are not in the file were left out: ${count}; first: ${first}`,
  otherPrincipal: (count: number, first: string) =>
    `${grants(count)} a principal that is no account and that does not pass them on, so they were counted only; first: ${first}`,
  deletedAccount: (count: number, first: string) => `deleted accounts were left out: ${count}; first: ${first}`,
  unknownLink: (count: number, first: string) =>
    `grants that pass on an entitlement that is not in the file: ${count}, without effect; first: ${first}`,
  unknownSource: (count: number, first: string) =>
    `${grants(count)} a source that is not in the file, which was left out of their paths; first: ${first}`,
  cutPaths: (count: number, first: string) => `grants with more paths than are read, or with paths in circles: ${count}; first: ${first}`,
  noStatus: (count: number, first: string) => `accounts without a status count as enabled: ${count}; first: ${first}`,
  wrongEmail: (count: number, first: string) => `accounts with a mail address that is none, which was left out: ${count}; first: ${first}`,
} as const;

function grants(count: number): string {
  return count === 1 ? '1 grant has' : `${count} grants have`;
}

export type Warning = keyof typeof sentences;

/** Counts of what was left out. */
export interface Warnings {
  add(kind: Warning, example: string): void;
  /** Counts resources of a kind that is not taken over. */
  addLeftOut(kind: string): void;
  list(): string[];
}

/** Empty counts. */
export function createWarnings(): Warnings {
  const found = new Map<Warning, { count: number; readonly first: string }>();
  const leftOut = new Map<string, number>();
  return {
    add(kind, example) {
      const known = found.get(kind);
      if (known === undefined) {
        found.set(kind, { count: 1, first: JSON.stringify(example.slice(0, 100)) });
      } else {
        known.count++;
      }
    },
    addLeftOut: (kind) => void leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1),
    list: () => [
      ...[...found].map(([kind, { count, first }]) => `${sentences[kind](count, first)}.`),
      ...[...leftOut].map(([kind, count]) => `${kind} are not taken over: ${count} left out.`),
    ],
  };
}
