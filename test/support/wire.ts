/** Protocol buffers written and read by hand, so that a client of tests knows the wire alone and none of our descriptors. */

/** A field: its number and its value; a list repeats it. */
export type Field = readonly [number, string | number | bigint | boolean | Uint8Array | readonly Field[] | undefined];

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

/** Writes a message. */
export function write(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (value === undefined) {
        return [];
      }
      if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
        return [varint(BigInt(number << 3)), varint(BigInt(value))];
      }
      const bytes = typeof value === 'string' || value instanceof Uint8Array ? Buffer.from(value as string) : write(value);
      return [varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes];
    }),
  );
}

/** A message that was read: of each field its values. */
export class Read {
  readonly #fields = new Map<number, (bigint | Buffer)[]>();

  constructor(bytes: Buffer) {
    let at = 0;
    const next = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++] ?? 0;
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) {
          return value;
        }
      }
    };
    while (at < bytes.length) {
      const tag = Number(next());
      const isVarint = (tag & 7) === 0;
      const length = isVarint ? 0 : Number(next());
      const value = isVarint ? next() : bytes.subarray(at, at + length);
      at += length;
      this.#fields.set(tag >> 3, [...(this.#fields.get(tag >> 3) ?? []), value]);
    }
  }

  has(number: number): boolean {
    return this.#fields.has(number);
  }

  texts(number: number): string[] {
    return (this.#fields.get(number) ?? []).map(String);
  }

  text(number: number): string {
    return this.texts(number)[0] ?? '';
  }

  whole(number: number): number {
    return Number(this.#fields.get(number)?.[0] ?? 0);
  }

  bytes(number: number): Buffer {
    return (this.#fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
  }

  all(number: number): Read[] {
    return (this.#fields.get(number) ?? []).map((value) => new Read(value as Buffer));
  }

  one(number: number): Read {
    return new Read(this.bytes(number));
  }
}
