/**
 * Whether bytes that are not UTF-8 read as a western text in Windows-1252: by what its letters and marks stand beside, weighed as shares. Texts of
 * DOS windows, old Macs, and of other alphabets read in it as names that nobody has, so they are refused. Encodings are found in text-encoding.ts.
 */

/** What speaks for a western text and what against it, of all that was read of it so far. */
export interface WesternWeights {
  /** Accented letters within words. */
  letters: number;
  /** Those of Central Europe and Turkey at the same bytes, and those that are letters there and in the west. */
  carons: number;
  centralLetters: number;
  turkishLetters: number;
  sharedTurkish: number;
  icelandicLetters: number;
  /** Places that no western text has. */
  odd: number;
}

/** No weights yet. */
export const noWeights = (): WesternWeights => ({
  letters: 0,
  carons: 0,
  centralLetters: 0,
  turkishLetters: 0,
  sharedTurkish: 0,
  icelandicLetters: 0,
  odd: 0,
});

/** A western text has at least this many letters in their place for each odd place. */
const lettersForOdd = 10;

const bytesOf = (text: string): ReadonlySet<number> => new Set([...text].map((char) => char.charCodeAt(0)));
/** Bytes that Windows-1252 has no character for. */
const unassigned: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Letters outside of À to ÿ: Š Œ Ž š œ ž Ÿ. */
const furtherLetters: ReadonlySet<number> = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);
/** Š Ž š ž Ÿ, which are rare in the west: other encodings have their usual letters there. */
const carons: ReadonlySet<number> = new Set([0x8a, 0x8e, 0x9a, 0x9e, 0x9f]);
/** What č ě ř ů ć đ of Central Europe become. */
const centralLetters = bytesOf('èìøùæðÈÌØÙÆÐ');
/** What ğ ı ş of Turkey become, and what it shares with the west. */
const turkishLetters = bytesOf('ðþýÐÞÝ');
const sharedTurkish = bytesOf('çüÇÜ');
const icelandicLetters = bytesOf('áíóúæÁÍÓÚÆ');
/** Letters that are words by themselves in a western language. */
const wordLetters = bytesOf('àÀáÁéÉèÈêóÓòøØåÅöÖæÆ');
/** ¨ ¦ ¤ ¸ ¼ ½ ¾ ¶, which are letters in other encodings, and stand beside none in a western text. */
const neverBesideLetters: ReadonlySet<number> = new Set([0xa4, 0xa6, 0xa8, 0xb6, 0xb8, 0xbc, 0xbd, 0xbe]);
/** ‚ „ ¡ ¿ £, which open a word or an amount, and end none. */
const openers: ReadonlySet<number> = new Set([0x82, 0x84, 0xa1, 0xbf, 0xa3]);
/** € ƒ † ‡ ˆ ‰ ™, which stand before no word. */
const neverBeforeLetters: ReadonlySet<number> = new Set([0x80, 0x83, 0x86, 0x87, 0x88, 0x89, 0x99]);
/** A hard space, ’ ´ · SHY, which stand within words, too. */
const anywhere: ReadonlySet<number> = new Set([0xa0, 0x92, 0xb4, 0xb7, 0xad]);
/** – — …, behind which a name has a capital or a text has a space. */
const dashes: ReadonlySet<number> = new Set([0x85, 0x96, 0x97]);

const isHighLetter = (byte: number): boolean => (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || furtherLetters.has(byte);
const isUpperHigh = (byte: number): boolean =>
  (byte >= 0xc0 && byte <= 0xde) || byte === 0x8a || byte === 0x8c || byte === 0x8e || byte === 0x9f;
const isLower = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;
const isAsciiLetter = (byte: number): boolean => isLower(byte) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isAnyLetter = (byte: number): boolean => isAsciiLetter(byte) || isHighLetter(byte);
const isControl = (byte: number): boolean => (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 26) || byte === 0x7f;

/**
 * Weighs bytes, adding to the weights. Returns the place of the first that speaks against a western text, -1 for none; undefined where one can be in
 * no text of Windows-1252 at all, with its place.
 */
function weigh(bytes: Buffer, weights: WesternWeights): { readonly firstOdd: number; readonly isImpossible: boolean } {
  let firstOdd = -1;
  let run = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      if (isControl(byte)) {
        return { firstOdd: at, isImpossible: true };
      }
      run = 0;
      continue;
    }
    if (unassigned.has(byte)) {
      return { firstOdd: at, isImpossible: true };
    }
    const [before = 0, after = 0] = [bytes[at - 1], bytes[at + 1]];
    run = isHighLetter(byte) ? run + 1 : 0;
    if (isHighLetter(byte) ? isOddLetter(byte, before, after, run) : isOddMark(byte, before, after)) {
      weights.odd++;
      firstOdd = firstOdd < 0 ? at : firstOdd;
    } else if (isHighLetter(byte)) {
      weights.letters++;
      weights.carons += carons.has(byte) ? 1 : 0;
      weights.centralLetters += centralLetters.has(byte) ? 1 : 0;
      weights.turkishLetters += turkishLetters.has(byte) ? 1 : 0;
      weights.sharedTurkish += sharedTurkish.has(byte) ? 1 : 0;
      weights.icelandicLetters += icelandicLetters.has(byte) ? 1 : 0;
    }
  }
  return { firstOdd, isImpossible: false };
}

function isOddLetter(byte: number, before: number, after: number, run: number): boolean {
  if (!isAnyLetter(before) && !isAnyLetter(after)) {
    return isDigit(before) || isDigit(after) || !wordLetters.has(byte);
  }
  // Three in a row are of another alphabet; a capital within a word is of another encoding; hardly any text has a ÿ.
  return run > 2 || (byte === 0xff && !(isAnyLetter(before) && isAnyLetter(after))) || (isUpperHigh(byte) && isLower(before));
}

function isOddMark(byte: number, before: number, after: number): boolean {
  if (anywhere.has(byte)) {
    return false;
  }
  if (dashes.has(byte)) {
    return isAnyLetter(before) && isLower(after);
  }
  return (
    (isAnyLetter(before) && (isAnyLetter(after) || openers.has(byte))) ||
    (neverBesideLetters.has(byte) && (isAnyLetter(before) || isAnyLetter(after))) ||
    ((byte === 0xa3 || neverBeforeLetters.has(byte)) && isAnyLetter(after)) ||
    // Japanese has every second byte so.
    ((byte === 0x82 || byte === 0x84) && after >= 0x80 && !isHighLetter(after))
  );
}

/** True if letters of which each may be western are together those of Central Europe or Turkey, or mostly of another encoding. */
function areElsewhere({ letters, carons: rare, centralLetters: central, turkishLetters: turkish, ...other }: WesternWeights): boolean {
  return (
    rare * 2 > letters || (rare > 0 && central * 3 > letters) || (turkish > 0 && other.sharedTurkish > 0 && other.icelandicLetters === 0)
  );
}

/** Bytes that are not read as Windows-1252, and why. */
export interface WesternDoubt {
  /** Place of what speaks against it. */
  readonly at: number;
  /** True if the text is UTF-8 but for a few places. */
  readonly isBrokenUtf8: boolean;
}

/** Says why bytes that are not UTF-8 are not read as Windows-1252 either; undefined where they are. `weights` are of what came before, and go on. */
export function findWesternDoubt(bytes: Buffer, weights: WesternWeights): WesternDoubt | undefined {
  const { sequences, strays, firstStray } = countSequences(bytes);
  if (sequences > 0 && sequences * 2 >= strays) {
    return { at: firstStray, isBrokenUtf8: true };
  }
  const { firstOdd, isImpossible } = weigh(bytes, weights);
  if (isImpossible || weights.odd * lettersForOdd > weights.letters || areElsewhere(weights)) {
    return { at: firstOdd < 0 ? bytes.findIndex((byte) => byte >= 0x80) : firstOdd, isBrokenUtf8: false };
  }
  return undefined;
}

/** Counts characters of UTF-8 beyond ASCII, and bytes that are part of none. */
function countSequences(bytes: Buffer): { readonly sequences: number; readonly strays: number; readonly firstStray: number } {
  let sequences = 0;
  let strays = 0;
  let firstStray = -1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      continue;
    }
    const more = byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0;
    const isWhole =
      more > 0 &&
      bytes.subarray(at + 1, at + 1 + more).length === more &&
      bytes.subarray(at + 1, at + 1 + more).every((one) => one >> 6 === 2);
    if (isWhole) {
      sequences++;
      at += more;
    } else {
      strays++;
      firstStray = firstStray < 0 ? at : firstStray;
    }
  }
  return { sequences, strays, firstStray };
}
