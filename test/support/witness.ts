/** A witness of logs, as others run them: it cosigns texts (C2SP cosignature/v1), here with code of its own. */
import { createHash, sign } from 'node:crypto';
import { createNoteSigner, type NoteKey, readVkey } from '../../src/lib/log/signed-note.ts';

/** A witness with its key, and what makes the line of its cosignature. */
export interface Witness {
  readonly key: NoteKey;
  cosign(text: string, atSeconds: number): string;
}

/** The witness of this name whose key follows from a number between 0 and 255. */
export function createWitness(name: string, number: number): Witness {
  const { key, privateKey } = createNoteSigner(name, Buffer.alloc(32, number));
  const typed = Buffer.concat([Buffer.of(4), key.publicKey]);
  const keyId = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4);
  return {
    key: readVkey(`${name}+${keyId.toString('hex')}+${typed.toString('base64')}`),
    cosign: (text, atSeconds) => {
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(atSeconds));
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${atSeconds}\n${text}`), privateKey);
      return `— ${name} ${Buffer.concat([keyId, time, signature]).toString('base64')}\n`;
    },
  };
}
