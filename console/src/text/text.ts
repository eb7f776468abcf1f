/** The words of the console: one catalogue, by key. A language is a folder of files beside this one; nothing else knows that there are several. */
import { type Messages, setupI18n } from '@lingui/core';
import type { EventKind, EventObject } from '../../../src/events/index.ts';
import { hasNothingToSee, showHidden } from './quote-name.ts';
import type { Texts as FileTexts } from './keys.d.ts';

/** Texts of the catalogue of events: a sentence of each kind, and what its object is called. */
type SentenceKey = `said.${EventKind}`;
type ObjectKey = `object.${EventObject}`;
/** Every text with its parameters. */
export type Texts = FileTexts & Record<SentenceKey, { who: string; object: string }> & Record<ObjectKey, undefined>;

/** A key of the catalogue. */
export type TextKey = keyof Texts;
/** The keys of texts without parameters. */
export type PlainTextKey = { [K in TextKey]: Texts[K] extends undefined ? K : never }[TextKey];
/** The parameters of a text; of one of several those of each. */
export type ValuesOf<K extends TextKey> = (
  K extends unknown
    ? (values: Texts[K] extends undefined ? unknown : Texts[K]) => void
    : never
) extends (values: infer V) => void
  ? V
  : never;

const i18n = setupI18n();

type Loaders = Readonly<Record<string, () => Promise<{ texts: Messages }>>>;

const loaders: Loaders = {
  en: () => import('virtual:texts/en') as Promise<{ texts: Messages }>,
  de: () => import('virtual:texts/de') as Promise<{ texts: Messages }>,
};
const queueLoaders: Loaders = {
  en: () => import('virtual:texts/en-queue') as Promise<{ texts: Messages }>,
  de: () => import('virtual:texts/de-queue') as Promise<{ texts: Messages }>,
};
const laterLoaders: Loaders = {
  en: () => import('virtual:texts/en-later') as Promise<{ texts: Messages }>,
  de: () => import('virtual:texts/de-later') as Promise<{ texts: Messages }>,
};
/** Texts asked for since the language was chosen. */
const asked = new Map<Loaders, Promise<void>>();

/** The languages there are, by their own names. */
export const languages: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };

/** Loads the first of the wanted languages that there is, else English. */
export async function loadLanguage(wanted: readonly string[]): Promise<void> {
  const locale = wanted.find((one) => loaders[one.slice(0, 2).toLowerCase()] !== undefined) ?? 'en';
  const language = locale.slice(0, 2).toLowerCase();
  i18n.load(locale, (await loaders[language]?.())?.texts ?? {});
  i18n.activate(locale);
  document.documentElement.lang = language;
  asked.clear();
}

/** Loads the texts of the queue, once. */
export function loadQueueTexts(): Promise<void> {
  return loadOnce(queueLoaders);
}

/** Loads the texts of all pages, once. */
export async function loadLaterTexts(): Promise<void> {
  await Promise.all([loadOnce(queueLoaders), loadOnce(laterLoaders)]);
}

function loadOnce(from: Loaders): Promise<void> {
  const before = asked.get(from);
  if (before !== undefined) {
    return before;
  }
  const { locale } = i18n;
  const loading = (from[locale.slice(0, 2).toLowerCase()]?.() ?? Promise.resolve({ texts: {} })).then(
    ({ texts }) => i18n.load(locale, texts),
    (error) => {
      asked.delete(from);
      throw error;
    },
  );
  asked.set(from, loading);
  return loading;
}

/** The locale for dates and numbers. */
export function locale(): string {
  return i18n.locale;
}

/** Marks that turn the direction of what follows them, up to the end of the line where nothing ends them. */
const turns = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]|\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** The beginnings of what the library reads in a finished sentence: an escape such as `\xab`, and its own mark for the number of a plural. */
const read = /[\\%]/g;

/**
 * A value as it has to be given to the library so that it stands in the sentence as it is: each sign that would be read is an escape of itself. One
 * without anything to see is written by its numbers.
 */
function keepWhole(value: string): string {
  const seen = hasNothingToSee(value) ? showHidden(value) : value;
  return keepDirection(seen.replace(read, (sign) => (sign === '%' ? '\\u0025' : '\\u005C')));
}

/** A name that could turn the words around it, between the marks that keep its direction to itself; any other as it is. */
export function keepDirection(name: string): string {
  return turns.test(name) ? `\u2068${name}\u2069` : name;
}

/** The values of a sentence, with every text in them kept as it is. */
function keepAll(values: object | undefined): Record<string, unknown> {
  const whole = Object.entries(values ?? {}).map(([name, value]) => [name, typeof value === 'string' ? keepWhole(value) : value]);
  return Object.fromEntries(whole);
}

const isText = (key: string): boolean => Object.hasOwn(i18n.messages, key);

/** True if a key is that of an event kind's sentence; it is not for a kind that a newer server wrote. */
export function isEventText(key: string): key is SentenceKey {
  return key.startsWith('said.') && isText(key);
}

/** The same for what the object of an event is called. */
export function isObjectText(key: string): key is ObjectKey {
  return key.startsWith('object.') && isText(key);
}

/** The text of a key, with its parameters. */
export function text<K extends TextKey>(key: K, ...values: Texts[K] extends undefined ? [] : [ValuesOf<K>]): string {
  return i18n._(key, keepAll(values[0] as object | undefined));
}
