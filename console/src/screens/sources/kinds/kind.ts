/**
 * A kind of source as the console asks for it. One is added by a descriptor in a file of its own beside this one, a line in `index.ts`, and its words in
 * `console/src/text/en/sources/KIND.json` and `de`. The form, the test, the page of the source and the search for systems follow from the descriptor.
 */
import type { PlainTextKey } from '~/text/text.ts';

/**
 * Control of a field: a line, a number, a text of several lines, a list with an entry on each line, a yes or no, one of a few. A secret is a
 * line or an area.
 */
export type Control = 'line' | 'number' | 'area' | 'lines' | 'tick' | 'choice';

/** A member of the settings, or a secret. */
export type Field<N extends string = string> = (Named<N> | Secret) & Shown;

/** A member of the settings, by its name in their message. */
interface Named<N extends string> {
  readonly name: N;
  readonly isSecret?: undefined;
}

/** A secret by its name: kept sealed, or in a file of the operator; never shown again. */
interface Secret {
  readonly name: string;
  readonly isSecret: true;
}

interface Shown {
  readonly control: Control;
  readonly label: PlainTextKey;
  readonly hint?: PlainTextKey | undefined;
  /** An example that stands in the empty field, the same in every language. */
  readonly example?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** Says where the settings lead: the secrets of a source are removed when its address changes, as the API does. */
  readonly isPlace?: boolean | undefined;
  /** Stands under "More settings", which few need. */
  readonly isMore?: boolean | undefined;
  /** Of a choice; the first is chosen where nothing was. Names of products are the same in every language. */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
}

/** Something that people look for, and that a kind connects. */
export interface System {
  /** Its name as it is written everywhere, or words where it has none. */
  readonly name: string | { readonly text: PlainTextKey };
  /** Other words it is looked for by, in lower case and in any language. */
  readonly also?: string | undefined;
  /** Settings that are known from the choice. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Message of a kind's settings. */
interface Message {
  readonly $typeName: string;
}

/** Everything the console knows of a kind, whose settings are this message. */
export interface KindOfSource<M extends Message = Message> {
  /** Name of the kind without its prefix, as in `SOURCE_KIND_LDAP`; what an address says. */
  readonly id: string;
  /** Type of its settings in `config`. */
  readonly type: `type.googleapis.com/${M['$typeName']}`;
  readonly name: PlainTextKey;
  /** One sentence: what it is for. */
  readonly about: PlainTextKey;
  /** Work that has to be done elsewhere first, if there is any. */
  readonly before?: PlainTextKey | undefined;
  readonly fields: readonly Field<string extends M['$typeName'] ? string : Exclude<keyof M & string, `$${string}`>>[];
  /**
   * Way in which people come from it: by its setting `isPeople`, in place of grants; or beside grants where its app is a directory. Absent where none come.
   */
  readonly people?: 'setting' | 'directory' | undefined;
  /** False if nothing can be tried out from here, because the other side calls us. */
  readonly canTest: boolean;
  readonly systems: readonly System[];
}
