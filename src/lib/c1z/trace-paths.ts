/** Paths by which an account comes to an entitlement: the sources of its grants, walked back to those that it holds itself. */

/** Most entitlements on a path, and most paths of a grant. */
const maxSteps = 20;
const maxPaths = 16;
/** Most looks at a grant for the paths of one: circles would be walked in every order. */
const maxLooks = 500;

/** A grant of an account: whether it holds it itself, and the numbers of the entitlements through which it holds it besides. */
export interface HeldGrant {
  readonly isDirect: boolean;
  readonly sources: readonly number[];
}

/** Paths of a grant. */
export interface Paths {
  /** Entitlements from the one that the account holds itself to the last before what is granted. */
  readonly paths: readonly (readonly number[])[];
  /** True if there are others, which are not read. */
  readonly isCut: boolean;
}

/** Traces the paths of a grant of an account through its other grants. There is at least one. */
export function tracePaths(entitlement: number, held: ReadonlyMap<number, HeldGrant>): Paths {
  const paths: number[][] = [];
  const walked: number[] = [entitlement];
  let looks = 0;
  let isCut = false;
  const walk = (at: number) => {
    if (paths.length >= maxPaths || ++looks > maxLooks) {
      isCut = true;
      return;
    }
    const grant = held.get(at);
    walked.push(at);
    if (grant === undefined || grant.isDirect || grant.sources.length === 0) {
      paths.push(walked.slice(1).reverse());
    }
    for (const source of grant?.sources ?? []) {
      if (walked.length > maxSteps || walked.includes(source)) {
        isCut = true;
      } else {
        walk(source);
      }
    }
    walked.pop();
  };
  const sources = held.get(entitlement)?.sources ?? [];
  for (const source of sources) {
    walk(source);
  }
  return { paths: paths.length > 0 ? paths.slice(0, maxPaths) : sources.slice(0, 1).map((source) => [source]), isCut };
}

/** A step of a path as the column `granted_via` has it. */
export function writeStep(key: readonly string[]): string {
  return key.map((part) => part.replace(/[\\/>]/g, '\\$&')).join('/');
}
