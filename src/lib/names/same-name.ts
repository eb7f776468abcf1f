/**
 * Keys of names: two are the same where their keys are. An import makes several of each of a million rows, so that text in plain letters, which most
 * is, is its own key after one look at its characters. The database makes the keys of what it stores itself (`name_key`); a test holds both together.
 */
import { readLabels } from './read-labels.ts';

const edges = /^[\p{White_Space}\u00AD\u200B-\u200D\u2060\uFEFF]+|[\p{White_Space}\u00AD\u200B-\u200D\u2060\uFEFF]+$/gu;
const spaces = /\p{White_Space}+/gu;
/** White space, and what Unicode has programs show as nothing. */
const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]+/gu;

const ascii = /^[!-~]*$/;

/** True for a visible character that no normal form changes or joins to another: of Latin, Cyrillic, Chinese and Korean, nearly all that names are made of. */
function isInert(code: number): boolean {
  return (
    (code > 0x20 && code < 0x7f) ||
    (code > 0xa0 && code < 0x300 && code !== 0xad) ||
    (code > 0x3ff && code < 0x483) ||
    (code > 0x489 && code < 0x530) ||
    (code > 0x4dff && code < 0xa000) ||
    (code > 0xabff && code < 0xd7a4)
  );
}

/** True if a text is of such characters, and has at most single spaces within. */
function isPlain(text: string): boolean {
  let before = 32;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 ? before === 32 : !isInert(code)) {
      return false;
    }
    before = code;
  }
  return before !== 32 || text === '';
}

/**
 * The key of a name: of an account, an entitlement, a resource, an app, a group or a person. White space at the ends and what nobody sees there do not
 * count, runs of it are one space, and an accent may be written either way. Case counts.
 */
export function getNameKey(name: string): string {
  return isPlain(name) ? name : name.normalize('NFC').replace(edges, '').replace(spaces, ' ');
}

/** The key of a name where only one of a kind may have each, in whatever case. */
export function getCaselessNameKey(name: string): string {
  return getNameKey(name).toLowerCase();
}

/** A text for a comparison in any case, as SQL's fold_case makes it: composed, and with one small sigma. */
export function foldCase(text: string): string {
  return text.normalize('NFD').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** A text without white space and what nobody sees; its letters stay as they are. */
export function dropUnseen(text: string): string {
  return text.replace(unseen, '');
}

/** The key of an employee id: no white space counts, and nothing that nobody sees. Zeros in front count, and so does case. */
export function getIdKey(id: string): string {
  return isPlain(id) && !id.includes(' ') ? id : id.normalize('NFC').replace(unseen, '').normalize('NFC');
}

/** A mail address or a user name in lower case, without what an id has not; its domain is spelled as it was. Accounts have it so. */
export function foldAddress(address: string): string {
  const letters = getIdKey(address).toLowerCase();
  // The Greek sigma has two small letters, and lower case takes one of them by where it stands.
  return ascii.test(letters) ? letters : letters.replaceAll('ς', 'σ').normalize('NFC');
}

/** What domains fold beside what texts do (UTS 46): the full stop of East Asia, the iota below a Greek letter, and letters of old Cyrillic print. */
const odd = '\u3002\u0345\u1C80\u1C81\u1C82\u1C83\u1C84\u1C85\u1C86\u1C87\u1C88';
const plain = '.ιвдосттъѣꙋ';
const anyOdd = new RegExp(`[${odd}]`, 'g');

function foldDomain(domain: string): string {
  const letters = domain.normalize('NFKD').replace(unseen, '').toLowerCase();
  return letters
    .replace(anyOdd, (char) => plain.charAt(odd.indexOf(char)))
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/**
 * The key of a mail address or a user name: that of an id, in lower case, and with an internationalised domain in its own letters, however it is spelled.
 * So every address has one, also where its domain is none. It says of which person a record may speak; that somebody who signs in has proven an address
 * is asked of isSameAddress.
 */
export function getAddressKey(address: string): string {
  const key = foldAddress(address);
  const at = key.lastIndexOf('@') + 1;
  if (at === 0 || (!key.includes('xn--') && ascii.test(key))) {
    return key;
  }
  return key.slice(0, at) + foldDomain(readLabels(foldDomain(key.slice(at)), foldDomain));
}
