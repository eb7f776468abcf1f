/**
 * A table from texts to small numbers, in 12 bytes for each entry instead of the hundred that a Map of texts takes. Texts are known by 64 bits of
 * a hash with a secret drawn for this run, so that nobody can choose two that meet.
 */
import { randomBytes } from 'node:crypto';

const secret = new Int32Array(new Uint8Array(randomBytes(8)).buffer);

/** Numbers by texts. */
export class KeyTable {
  #keys = new Uint32Array(2 * 64);
  #values = new Int32Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a text; 0 where it has none. */
  get(text: string): number {
    if (this.#size === 0) {
      return 0;
    }
    setKeyOf(text);
    return this.#values[this.#find(this.#keys, this.#values, low, high)]!;
  }

  /** The number of a text, which is negative from then on; 0 where it has none. */
  take(text: string): number {
    setKeyOf(text);
    const at = this.#find(this.#keys, this.#values, low, high);
    const value = this.#values[at]!;
    this.#values[at] = -Math.abs(value);
    return value;
  }

  /** Sets the number of a text to one other than 0; returns the one it had, 0 for none. */
  set(text: string, value: number): number {
    if (2 * this.#size >= this.#values.length) {
      this.#grow();
    }
    setKeyOf(text);
    const at = this.#find(this.#keys, this.#values, low, high);
    const before = this.#values[at]!;
    this.#keys[2 * at] = low;
    this.#keys[2 * at + 1] = high;
    this.#values[at] = value;
    this.#size += before === 0 ? 1 : 0;
    return before;
  }

  /** The numbers of all entries, in no order. */
  *values(): Generator<number> {
    for (const value of this.#values) {
      if (value !== 0) {
        yield value;
      }
    }
  }

  /** Place of a key, or the free one where it would be. */
  #find(keys: Uint32Array, values: Int32Array, first: number, second: number): number {
    const mask = values.length - 1;
    let at = first & mask;
    while (values[at] !== 0 && (keys[2 * at] !== first || keys[2 * at + 1] !== second)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    const [newKeys, newValues] = [new Uint32Array(2 * keys.length), new Int32Array(2 * values.length)];
    for (let at = 0; at < values.length; at++) {
      if (values[at] !== 0) {
        const place = this.#find(newKeys, newValues, keys[2 * at]!, keys[2 * at + 1]!);
        newKeys[2 * place] = keys[2 * at]!;
        newKeys[2 * place + 1] = keys[2 * at + 1]!;
        newValues[place] = values[at]!;
      }
    }
    this.#keys = newKeys;
    this.#values = newValues;
  }
}

/** The key that was worked out last, in two halves. */
let [low, high] = [0, 0];

/** Works out HalfSipHash-1-3 of the units of a text, under the secret. Much faster here than a hash of the library for so short a text. */
function setKeyOf(text: string): void {
  let [v0, v1, v2, v3] = [secret[0]!, secret[1]! ^ 0xee, 0x6c796765 ^ secret[0]!, 0x74656462 ^ secret[1]!];
  const { length } = text;
  // Words of two units, one with the rest and the length, and eight more rounds, after half of which the first half of the key is there.
  const words = (length >> 1) + 1;
  for (let at = 0; at < words + 6; at++) {
    let word = 0;
    if (at < words - 1) {
      word = text.charCodeAt(2 * at) | (text.charCodeAt(2 * at + 1) << 16);
    } else if (at === words - 1) {
      word = (length % 2 === 1 ? text.charCodeAt(length - 1) : 0) | (length << 16);
    } else if (at === words) {
      v2 ^= 0xee;
    } else if (at === words + 3) {
      low = (v1 ^ v3) >>> 0;
      v1 ^= 0xdd;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  high = (v1 ^ v3) >>> 0;
}
