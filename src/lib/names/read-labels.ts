/** Labels of internationalised domains: what the ASCII form of one (`xn--bcher-kva`, RFC 5890) says. Pure; `read_labels` in SQL is the same. */

/** Letters that a domain may hold though their fold is another one: the last sigma, what joins letters in some scripts, and Cherokee. */
const kept = /[\u03C2\u13A0-\u13F5]|\u200C|\u200D/gu;
/** Beyond it no number is the place of a letter in a label. */
const maxNumber = 0x7fffffff;

/**
 * Reads the ASCII forms among the labels of a domain. One that says nothing, or nothing that stands in a domain in the form that `fold` gives, stays as it
 * is: it can be no domain of people, and what it says may look like another one.
 */
export function readLabels(domain: string, fold: (text: string) => string): string {
  return domain
    .split('.')
    .map((label) => {
      const text = /^xn--[a-z0-9_-]+$/.test(label) && label.length <= 63 ? decode(label.slice(4)) : undefined;
      const bare = text?.replace(kept, '');
      return text === undefined || bare === undefined || fold(bare) !== bare || /^[!-~]*$/.test(fold(text)) ? label : text;
    })
    .join('.');
}

/** Decodes Punycode (RFC 3492); undefined for what is none. */
function decode(label: string): string | undefined {
  const end = Math.max(label.lastIndexOf('-'), 0);
  const codes = [...label.slice(0, end)].map((char) => char.charCodeAt(0));
  let at = end === 0 ? 0 : end + 1;
  let code = 128;
  let place = 0;
  let bias = 72;
  while (at < label.length) {
    const before = place;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(label.charAt(at));
      if (digit < 0 || at === label.length) {
        return undefined;
      }
      at += 1;
      place += digit * weight;
      const least = Math.min(Math.max(k - bias, 1), 26);
      if (digit < least) {
        break;
      }
      weight *= 36 - least;
      if (place > maxNumber || weight > maxNumber) {
        return undefined;
      }
    }
    const count = codes.length + 1;
    let delta = Math.floor((place - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) {
      delta = Math.floor(delta / 35);
    }
    bias += Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(place / count);
    place %= count;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      return undefined;
    }
    codes.splice(place, 0, code);
    place += 1;
  }
  return String.fromCodePoint(...codes);
}
