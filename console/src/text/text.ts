/** The words of the console: one catalogue, by key. A language is a folder of files beside this one; nothing else knows that there are several. */
import { type Messages, setupI18n } from '@lingui/core';
import type { Texts } from './keys.d.ts';

/** A key of the catalogue. */
export type TextKey = keyof Texts;
/** The keys of texts without parameters. */
export type PlainTextKey = { [K in TextKey]: Texts[K] extends undefined ? K : never }[TextKey];

const i18n = setupI18n();

const loaders: Readonly<Record<string, () => Promise<{ texts: Messages }>>> = {
  en: () => import('virtual:texts/en') as Promise<{ texts: Messages }>,
  de: () => import('virtual:texts/de') as Promise<{ texts: Messages }>,
};

/** Those of pages that most people do not begin with. */
const laterLoaders: typeof loaders = {
  en: () => import('virtual:texts/en-later') as Promise<{ texts: Messages }>,
  de: () => import('virtual:texts/de-later') as Promise<{ texts: Messages }>,
};
let later: Promise<void> | undefined;

/** The languages there are, by their own names. */
export const languages: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };

/** Loads the first of the wanted languages that there is, else English. What another language lacks is said in English. */
export async function loadLanguage(wanted: readonly string[]): Promise<void> {
  const locale = wanted.find((one) => loaders[one.slice(0, 2).toLowerCase()] !== undefined) ?? 'en';
  const language = locale.slice(0, 2).toLowerCase();
  i18n.load(locale, await loadTexts(loaders, language));
  i18n.activate(locale);
  document.documentElement.lang = language;
  later = undefined;
}

/** Loads the texts of all other pages, once. */
export function loadLaterTexts(): Promise<void> {
  later ??= loadTexts(laterLoaders, i18n.locale.slice(0, 2).toLowerCase()).then(
    (texts) => i18n.load(i18n.locale, texts),
    (error) => {
      later = undefined;
      throw error;
    },
  );
  return later;
}

async function loadTexts(from: typeof loaders, language: string): Promise<Messages> {
  const [own, english] = await Promise.all([from[language]?.(), language === 'en' ? undefined : from['en']?.()]);
  return { ...english?.texts, ...own?.texts };
}

/** The locale for dates and numbers. */
export function locale(): string {
  return i18n.locale;
}

/** Marks that turn the direction of what follows them, up to the end of the line where nothing ends them. */
const turns = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]|\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** Values whose names turn no word around them: each that could is put between the marks that keep its direction to itself. */
function keepApart(values: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (values === undefined || !Object.values(values).some((value) => typeof value === 'string' && turns.test(value))) {
    return values;
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' && turns.test(value) ? `\u2068${value}\u2069` : value]),
  );
}

/** The text of a key, with its parameters. */
export function text<K extends TextKey>(key: K, ...values: Texts[K] extends undefined ? [] : [Texts[K]]): string {
  return i18n._(key, keepApart(values[0] as Record<string, unknown> | undefined));
}
