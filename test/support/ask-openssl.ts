/** The word of openssl about what makes a signature, asked as docs/signatures.md tells auditors to. */
import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Asks in a folder of its own, under names that are used again. */
export function createOpenSsl(folder: string) {
  const put = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const run = (...args: readonly string[]): boolean => spawnSync('openssl', args, { stdio: 'ignore' }).status === 0;
  const pemOf = (jwk: JsonWebKey): string =>
    createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
  return {
    /** True if `openssl ts -verify` accepts a reply over data under these roots. */
    isStamp: (reply: Buffer, data: string, roots: string): boolean =>
      run(
        ...['ts', '-verify', '-digest', createHash('sha256').update(data).digest('hex')],
        ...['-in', put('reply.tsr', reply), '-CAfile', put('roots.pem', roots)],
      ),
    /** True if `openssl pkeyutl` accepts an Ed25519 signature; key and signature are in base64url. */
    isSignature: (key: string, data: string, signature: string): boolean =>
      run(
        ...['pkeyutl', '-verify', '-pubin', '-inkey', put('key.pem', pemOf({ kty: 'OKP', crv: 'Ed25519', x: key })), '-rawin'],
        ...['-in', put('data', data), '-sigfile', put('signature', Buffer.from(signature, 'base64url'))],
      ),
    /** True if `openssl pkeyutl` accepts the signature of an ID token (RS256). */
    isToken: (token: string, key: JsonWebKey): boolean => {
      const [head = '', body = '', end = ''] = token.split('.');
      return run(
        ...['pkeyutl', '-verify', '-pubin', '-inkey', put('provider.pem', pemOf(key)), '-rawin', '-digest', 'sha256'],
        ...['-in', put('signed', `${head}.${body}`), '-sigfile', put('proof', Buffer.from(end, 'base64url'))],
      );
    },
  };
}
