/** How this browser shows the console: theme, language and keys, kept here so that the first paint has them. */
import { useSyncExternalStore } from 'react';
import { type ChosenKeys, setChosenKeys } from '../parts/key-map.ts';

export type Theme = 'system' | 'light' | 'dark';

const themeKey = 'countersign.theme';
const languageKey = 'countersign.language';
const lettersKey = 'countersign.letters';
const keysKey = 'countersign.keys';
const listeners = new Set<() => void>();
let lettersOn = readItem(lettersKey) !== 'off';
setChosenKeys(readKeys());

/** Sets the theme, now and for the next visits. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
  } else {
    document.documentElement.dataset['theme'] = theme;
  }
  write(themeKey, theme === 'system' ? '' : theme);
}

/** The theme that was set. */
export function readTheme(): Theme {
  const found = readItem(themeKey);
  return found === 'light' || found === 'dark' ? found : 'system';
}

/** The language that was set, if one was. */
export function readLanguage(): string[] {
  const found = readItem(languageKey);
  return found === '' ? [] : [found];
}

/** Sets the language for the next load of the page; empty is the browser's. */
export function setLanguage(language: string): void {
  write(languageKey, language);
}

/** Whether single letters are commands. */
export function lettersAreOn(): boolean {
  return lettersOn;
}

/** The same for what is shown. */
export function useLettersOn(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, lettersAreOn);
}

/** Turns single letters as commands on or off, in this browser. */
export function setLetters(isOn: boolean): void {
  lettersOn = isOn;
  write(lettersKey, isOn ? '' : 'off');
  for (const listener of listeners) {
    listener();
  }
}

/** Sets the keys of commands, in this browser. */
export function setKeys(keys: ChosenKeys): void {
  setChosenKeys(keys);
  write(keysKey, Object.keys(keys).length === 0 ? '' : JSON.stringify(keys));
}

function readKeys(): ChosenKeys {
  try {
    return JSON.parse(readItem(keysKey) || '{}') as ChosenKeys;
  } catch {
    return {};
  }
}

function readItem(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, value: string): void {
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
