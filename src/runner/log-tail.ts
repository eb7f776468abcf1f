/** The end of what a connector prints. */

/** Bytes that are kept. */
const maxBytes = 64 * 1024;

/** Words with which a connector says that its sync is not whole. They are looked for in all that it prints. */
export const warningWords = 'sync completed with warnings';

/** Output that is being kept. */
export interface LogTail {
  add(piece: Buffer): void;
  /** The end, and before it the words about warnings if they came earlier. */
  text(): string;
  /** The last line that says something. */
  lastLine(): string;
}

/** Keeps the end of an output. */
export function createLogTail(): LogTail {
  let kept: Buffer = Buffer.alloc(0);
  let carry = '';
  let hasWarnings = false;
  const whole = (): string => kept.subarray(-maxBytes).toString('utf8');
  return {
    add(piece) {
      const seen = carry + piece.toString('latin1').toLowerCase();
      hasWarnings ||= seen.includes(warningWords);
      carry = seen.slice(-warningWords.length);
      kept = Buffer.concat([kept, piece]);
      // Not at each piece: a long log comes in small ones.
      if (kept.length > 4 * maxBytes) {
        kept = Buffer.from(kept.subarray(-maxBytes));
      }
    },
    text() {
      const text = whole();
      if (!hasWarnings || text.toLowerCase().includes(warningWords)) {
        return text;
      }
      const head = `${warningWords}\n`;
      return head + text.slice(head.length);
    },
    lastLine: () => whole().trimEnd().split('\n').at(-1)?.trim() ?? '',
  };
}
