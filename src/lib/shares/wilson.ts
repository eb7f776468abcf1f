/** The confidence interval of a share, after Wilson (1927): right for few tries and for shares near 0 and 1. */

/** The quantile of the normal distribution that leaves 2.5 % above it. */
const z = 1.959963984540054;

/** The bounds, of 1, between which the true share lies with 95 % confidence where `hits` of `tries` are seen; 0 and 1 for no try. */
export function wilson(hits: number, tries: number): { readonly lower: number; readonly upper: number } {
  if (tries === 0) {
    return { lower: 0, upper: 1 };
  }
  const share = hits / tries;
  const spread = 1 + (z * z) / tries;
  const middle = share + (z * z) / (2 * tries);
  const half = z * Math.sqrt((share * (1 - share)) / tries + (z * z) / (4 * tries * tries));
  return { lower: hits === 0 ? 0 : (middle - half) / spread, upper: hits === tries ? 1 : (middle + half) / spread };
}
