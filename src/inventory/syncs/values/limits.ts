/**
 * The limits of imports, all in one place. What is done about a file over one of them is in read-file.ts and the rules.
 */

/** Limits of an uploaded file. */
export const fileLimits = {
  maxBytes: 20 * 1024 ** 3,
  maxExpansion: 100,
  /** A slow upload holds a temporary file and nothing else; a silent one is given up. */
  stallMs: 120_000,
  maxRowBytes: 64 * 1024,
  /** Of an Excel file: files inside its zip, and different texts, of which each takes eight bytes of memory. */
  maxParts: 10_000,
  maxTexts: 10_000_000,
  /** About a millisecond of work, after which others get their turn; larger texts would not be freed before a full garbage collection. */
  batchBytes: 48 * 1024,
} as const;

/** Most row errors, and most warnings, that are reported in full. */
export const maxNotesTold = 100;

/** Longest key of the inventory in bytes of UTF-8: what an index row takes with room to spare. */
export const maxKeyBytes = 1024;

/** Longest mail address, as RFC 5321 has it with room to spare. */
export const maxEmailLength = 320;

/** From so many changed rows on, the statistics of tables that they change by a tenth are renewed at once instead of when autovacuum comes by. */
export const analyzeFrom = 100;

/** From so many changed rows on, they are renewed however large the tables are. */
export const alwaysAnalyzeFrom = 5000;
