/** Asks a witness to cosign a checkpoint (C2SP tlog-witness, add-checkpoint): it does so where the log only grew since it last looked. */
import { type OutgoingRules, sendOutgoing } from '../../../lib/outgoing.ts';
import { type NoteKey, openNote } from '../../../lib/log/signed-note.ts';

/** A request to a witness. */
export interface WitnessRequest {
  readonly outgoing: OutgoingRules;
  /** The address before /add-checkpoint. */
  readonly url: string;
  readonly key: NoteKey;
  /** The signed checkpoint. */
  readonly note: string;
  /** Leaves it is of. */
  readonly size: number;
  /** Leaves of the checkpoint that the witness saw last, as far as is known here. */
  readonly known: number;
  /** The proof that the tree begins with one of so many leaves. */
  readonly prove: (first: number) => Promise<readonly Buffer[]>;
  readonly signal: AbortSignal;
}

/** A cosignature that was checked. */
export interface Cosigned {
  /** Seconds since 1970. */
  readonly cosignedAt: number;
  /** The line of the signature, as it belongs under the checkpoint. */
  readonly line: string;
}

const connectMs = 3_000;
const maxBytes = 64 * 1024;

/** Returns the cosignature. Throws an Error with a sentence where the witness gives none, or one that is not good. */
export async function askWitness(request: WitnessRequest): Promise<Cosigned> {
  let response = await send(request, request.known);
  if (response.status === 409) {
    // It says in its answer what it saw last: more than we noted where we were stopped after it answered.
    const size = Number((await response.text()).trim());
    if (!Number.isSafeInteger(size) || size < 0 || size > request.size) {
      throw new Error('the witness knows a checkpoint that this log never had');
    }
    response = await send(request, size);
  }
  if (response.status !== 200) {
    throw new Error(`the witness ${new URL(request.url).host} answered with status ${response.status}`);
  }
  return readCosignature(request, await response.text());
}

async function send({ outgoing, url, note, prove, signal }: WitnessRequest, known: number): Promise<Response> {
  const proof = (await prove(known)).map((hash) => `${hash.toString('base64')}\n`);
  const body = `old ${known}\n${proof.join('')}\n${note}`;
  return await sendOutgoing(outgoing, `${url.replace(/\/+$/, '')}/add-checkpoint`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(Buffer.byteLength(body)) },
    body,
    signal,
    connectMs,
    allowsPlain: true,
    maxBytes,
  });
}

function readCosignature({ key, note }: WitnessRequest, lines: string): Cosigned {
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  for (const line of lines.split('\n').filter((one) => one.startsWith(`— ${key.name} `))) {
    const { signatures } = openNote([key], Buffer.from(`${text}\n${line}\n`));
    const cosignedAt = signatures.find((one) => one.key === key)?.cosignedAt;
    if (cosignedAt !== undefined) {
      return { cosignedAt, line: `${line}\n` };
    }
  }
  throw new Error(`the witness answered without a cosignature of ${key.name}`);
}
