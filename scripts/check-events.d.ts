/** Returns a sentence for each kind of the catalogue that nobody records, with its place in it. */
export function findUnrecorded(sources: readonly { readonly path: string; readonly text: string }[]): string[];
