/** The distinguished encoding of ASN.1 (X.690), as far as its frame goes: tags and lengths. */

const maxDepth = 32;

/** Returns the number of bytes of the element at `start`; undefined where it is not DER or does not end before `end`. */
function elementLength(bytes: Buffer, start: number, end: number, depth: number): number | undefined {
  const tag = bytes[start];
  const first = bytes[start + 1];
  // No format read here has tags of more than one byte.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > maxDepth || start + 2 > end) {
    return undefined;
  }
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const content = start + 2 + lengthBytes;
  if (lengthBytes > 4 || first === 0x80 || content > end) {
    return undefined;
  }
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes);
  const isShortest = lengthBytes === 0 || (length >= 0x80 && bytes[start + 2] !== 0);
  if (!isShortest || content + length > end) {
    return undefined;
  }
  const isWhole = (tag & 0x20) === 0 || holdsElements(bytes, content, content + length, depth + 1);
  return isWhole ? content + length - start : undefined;
}

function holdsElements(bytes: Buffer, start: number, end: number, depth: number): boolean {
  for (let at = start; at < end; ) {
    const length = elementLength(bytes, at, end, depth);
    if (length === undefined) {
      return false;
    }
    at += length;
  }
  return true;
}

/** True if bytes are one element, whose length and those of all elements within are definite and as short as possible. */
export function isOneDerObject(bytes: Buffer): boolean {
  return elementLength(bytes, 0, bytes.length, 0) === bytes.length;
}
