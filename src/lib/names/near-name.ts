/** Finds names so near that one may be the other with a slip of the finger. */

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** True if names differ by one letter, or by two where they are long; case, accents and punctuation do not count. */
export function isNearName(a: string, b: string): boolean {
  const [one, other] = [plain(a), plain(b)];
  const shorter = Math.min(one.length, other.length);
  const allowed = shorter < 4 ? 0 : shorter < 8 ? 1 : 2;
  return one !== '' && other !== '' && countEdits(one, other, allowed) <= allowed;
}

/** Counts letters to insert, leave out, change or swap with the next to make one text of the other; more than `atMost` where it is more. */
function countEdits(a: string, b: string, atMost: number): number {
  if (Math.abs(a.length - b.length) > atMost) {
    return atMost + 1;
  }
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      }
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
