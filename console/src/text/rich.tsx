/** A text with parts that are more than words: `<b>...</b>` and other tags of a message become elements. Tags do not nest. */
import { Fragment, type ReactNode } from 'react';
import { type TextKey, type Texts, type ValuesOf, text } from './text.ts';

type Tags = Readonly<Record<string, (inner: string) => ReactNode>>;

const usual: Tags = { b: (inner) => <strong>{inner}</strong>, code: (inner) => <code>{inner}</code> };
/** Brackets of parameters are written by this sign and a letter, and the sign itself likewise, so that a name with a tag in it stays a name. */
const mark = '\u{e000}';
const letters: Readonly<Record<string, string>> = { '<': 'o', '>': 'c', [mark]: 'm' };
const signs: Readonly<Record<string, string>> = { o: '<', c: '>', m: mark };

type RichProps<K extends TextKey> = { id: K; tags?: Tags } & (Texts[K] extends undefined
  ? { values?: undefined }
  : { values: ValuesOf<K> });

/** The text of a key as elements. What comes in by parameters is never read as a tag. */
export function Rich<K extends TextKey>({ id, values, tags }: RichProps<K>) {
  return enrich((safe) => (text as (key: TextKey, values: unknown) => string)(id, safe), values ?? {}, tags);
}

/** Renders a text with values, as elements. */
export function enrich<V extends object>(say: (values: V) => string, values: V, tags: Tags = usual) {
  const safe = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(value)])) as V;
  const parts = say(safe).split(/(<[a-z]+>.*?<\/[a-z]+>)/s);
  return parts.map((part, index) => {
    const [, tag = '', inner = ''] = /^<([a-z]+)>(.*)<\/\1>$/s.exec(part) ?? [];
    const make = tags[tag] ?? usual[tag];
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other identity
    return <Fragment key={index}>{make === undefined ? show(part) : make(show(inner))}</Fragment>;
  });
}

function hide(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[<>\u{e000}]/gu, (sign) => `${mark}${letters[sign]}`) : value;
}

function show(value: string): string {
  return value.replace(/\u{e000}([ocm])/gu, (_, letter: string) => signs[letter] ?? '');
}
