/** Display in this browser: theme, language and keys, kept here so that the first paint has them. */
import { type ChosenKeys, setChosenKeys } from '~/parts/words/key-map.ts';
import { shareValue } from '~/parts/words/share-value.ts';

export type Theme = 'system' | 'light' | 'dark';

const themeKey = 'countersign.theme';
const languageKey = 'countersign.language';
const lettersKey = 'countersign.letters';
const keysKey = 'countersign.keys';
const lettersOn = shareValue(readItem(lettersKey) !== 'off');
setChosenKeys(readKeys());

/** Sets the theme, now and for the next visits. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
  } else {
    document.documentElement.dataset['theme'] = theme;
  }
  writeItem(themeKey, theme === 'system' ? '' : theme);
}

/** The language that was set, if one was. */
export function readLanguage(): string[] {
  const found = readItem(languageKey);
  return found === '' ? [] : [found];
}

/** Sets the language for the next load of the page; empty is the browser's. */
export function setLanguage(language: string): void {
  writeItem(languageKey, language);
}

/** True if single letters are commands. */
export const lettersAreOn = lettersOn.read;

/** The same for what is shown. */
export const useLettersOn = lettersOn.useValue;

/** Turns single letters as commands on or off, in this browser. */
export function setLetters(isOn: boolean): void {
  lettersOn.set(isOn);
  writeItem(lettersKey, isOn ? '' : 'off');
}

/** Sets the keys of commands, in this browser. */
export function setKeys(keys: ChosenKeys): void {
  setChosenKeys(keys);
  writeItem(keysKey, Object.keys(keys).length === 0 ? '' : JSON.stringify(keys));
}

function readKeys(): ChosenKeys {
  try {
    return JSON.parse(readItem(keysKey) || '{}') as ChosenKeys;
  } catch {
    return {};
  }
}

/** An item that this browser keeps; empty where it has none. */
export function readItem(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Keeps an item in this browser; an empty one is removed. */
export function writeItem(key: string, value: string): void {
  try {
    if (value === '') {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, value);
    }
  } catch {
    // Storage is refused: it holds for this visit.
  }
}
