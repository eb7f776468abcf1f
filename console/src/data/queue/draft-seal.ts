/**
 * Seals what a person has not submitted (AES-256-GCM), so that whoever has the device later reads none of it. The key comes with the session and lives
 * in the page alone: it is on no disk, and no script can take it out again.
 */

/** The key of a person. `id` stands for it in names and reveals nothing of it. */
export interface DraftKey {
  readonly id: string;
  readonly key: CryptoKey;
}

/** Record on the device instead of a value. */
export interface Sealed {
  /** New for each sealing, so that two versions of a record differ in it. */
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly content: Uint8Array<ArrayBuffer>;
}

const nonceBytes = 12;
const idBytes = 8;

/** Imports a key as the server gives it: 32 bytes in base64url. */
export async function importDraftKey(text: string): Promise<DraftKey> {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const [key, digest] = await Promise.all([
    crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
    crypto.subtle.digest('SHA-256', bytes),
  ]);
  bytes.fill(0);
  const id = [...new Uint8Array(digest, 0, idBytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { id, key };
}

/** The content is bound to the name of its record: moved to another one it does not open. */
const algorithm = (nonce: Uint8Array<ArrayBuffer>, name: string) => ({
  name: 'AES-GCM',
  iv: nonce,
  additionalData: new TextEncoder().encode(name),
});

/** Seals a value of JSON for the record of this name. */
export async function seal({ key }: DraftKey, name: string, value: unknown): Promise<Sealed> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const content = await crypto.subtle.encrypt(algorithm(nonce, name), key, new TextEncoder().encode(JSON.stringify(value)));
  return { nonce, content: new Uint8Array(content) };
}

/** Opens what `seal` made; undefined for what was changed, moved, or sealed with another key. */
export async function unseal<T>({ key }: DraftKey, name: string, sealed: Sealed): Promise<T | undefined> {
  try {
    const content = await crypto.subtle.decrypt(algorithm(sealed.nonce, name), key, sealed.content);
    return JSON.parse(new TextDecoder().decode(content)) as T;
  } catch {
    return undefined;
  }
}
