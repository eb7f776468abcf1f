/** Reading members of JSON objects that somebody else wrote: each is there with its type, or counts as empty. */
import { asList, asObject, asTexts, isJsonObject } from '../lib/json.ts';

/** A JSON object of which nothing is known. */
export class Fields {
  readonly raw: Readonly<Record<string, unknown>>;

  /** The fields of an object; none where the value is not one. */
  constructor(value: unknown) {
    this.raw = asObject(value);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.raw, name);
  }

  text(name: string): string {
    // Not asked whether it is its own, as this is called more than all else: no object inherits a text.
    const value = this.raw[name];
    return typeof value === 'string' ? value : '';
  }

  /** A text or null; undefined for anything else. */
  textOrNull(name: string): string | null | undefined {
    const value = this.#own(name);
    return typeof value === 'string' || value === null ? value : undefined;
  }

  /** A whole number from -1 on; -2 for anything else. */
  whole(name: string): number {
    const value = this.#own(name);
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= -1 ? value : -2;
  }

  fields(name: string): Fields {
    return new Fields(this.#own(name));
  }

  list(name: string): Fields[] {
    return asList(this.#own(name)).map((one) => new Fields(one));
  }

  texts(name: string): string[] {
    return asTexts(this.#own(name));
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.raw, name) ? this.raw[name] : undefined;
  }
}

/** The object in a text; undefined where the text is none. */
export function readFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? new Fields(value) : undefined;
  } catch {
    return undefined;
  }
}
