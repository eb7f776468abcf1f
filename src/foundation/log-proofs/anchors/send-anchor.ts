/**
 * Sends the newest checkpoint to one place, again and again until the place has it: whoever reads the log there is not told less because a server was
 * down. A place that fails stops nothing else; it is told of once, after a day.
 */
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Effect, EffectKind, Outcome } from '../../../jobs/index.ts';
import { writeCheckpointText } from '../../../lib/log/checkpoint.ts';
import { readVkey } from '../../../lib/log/signed-note.ts';
import { askForTimeStamp, TimeStampUnavailable } from '../../../lib/time-stamps/ask.ts';
import { TimeStampRefusal } from '../../../lib/time-stamps/refusal.ts';
import { readTrust } from '../../../lib/time-stamps/verify.ts';
import { recordEvent } from '../../audit/index.ts';
import { findHead, proveConsistency, type TreeHead } from '../tree/index.ts';
import { askWitness } from './ask-witness.ts';
import type { AnchorRules } from './places.ts';
import {
  type AnchorOnItsWay,
  findOnItsWay,
  listChosenPlaces,
  listNewestAnchors,
  removeOnTheirWay,
  updateAnchored,
  updateFailing,
} from './store-anchors.ts';
import { writeCheckpointFile } from './write-file.ts';

/** The answer of a place, in words of JSON. */
interface Answer {
  readonly epoch: number;
  readonly size: number;
  /** In base64. */
  readonly root: string;
  /** In milliseconds since 1970; null where nobody vouches for a time. */
  readonly vouchedAt: number | null;
  /** In base64; '' for a file. */
  readonly proof: string;
  /** True if the place had it already. */
  readonly isKnown: boolean;
}

const tellAfterMs = 24 * 3_600_000;
const longestPauseMs = 3_600_000;
const maxError = 500;

/** The effect of sending one. */
export function createAnchorEffect(rules: AnchorRules): EffectKind {
  return {
    maxAttempts: Number.MAX_SAFE_INTEGER,
    longestPauseMs,
    async open(context, { id }) {
      const row = await findOnItsWay(context, id);
      return row === undefined ? undefined : openAnchor(rules, row);
    },
  };
}

function openAnchor(rules: AnchorRules, row: AnchorOnItsWay): Effect<Answer> {
  return {
    lastError: row.error,
    async attempt(context, signal) {
      try {
        return await send(context, rules, row, signal);
      } catch (error) {
        throw toRetry(error);
      }
    },
    record: (context, outcome) => record(context, row, outcome),
  };
}

async function send(context: Context, rules: AnchorRules, row: AnchorOnItsWay, signal: AbortSignal): Promise<Answer> {
  const head = await findHead(context, 0, undefined);
  const { epoch, size, root, note } = head.checkpoint;
  const [last] = await listNewestAnchors(context, [row]);
  const sent = { epoch, size, root: root.toString('base64'), vouchedAt: null, proof: '', isKnown: false };
  if (last?.epoch === epoch && last.size >= size) {
    return { ...sent, isKnown: true };
  }
  if (row.kind === 'FILE') {
    await writeCheckpointFile(rules.checkpointDir, context.tenantId, { epoch, size, note });
    return sent;
  }
  const proved = row.kind === 'WITNESS' ? cosign : stamp;
  const { vouchedAt, proof } = await proved(context, rules, row.place, head, last?.epoch === epoch ? last.size : 0, signal);
  return { ...sent, vouchedAt: vouchedAt.getTime(), proof: proof.toString('base64') };
}

interface Proved {
  readonly vouchedAt: Date;
  readonly proof: Buffer;
}

async function stamp({ db }: Context, { outgoing }: AnchorRules, url: string, { epoch, checkpoint }: TreeHead): Promise<Proved> {
  const text = writeCheckpointText({ origin: epoch.origin, size: checkpoint.size, root: checkpoint.root });
  const { at, reply } = await askForTimeStamp({ url, ...(await readTrust(db.vault.timeStamps)) }, Buffer.from(text), {
    outgoing,
    now: () => new Date(),
  });
  return { vouchedAt: at, proof: reply };
}

async function cosign(
  context: Context,
  { outgoing }: AnchorRules,
  url: string,
  { epoch, checkpoint }: TreeHead,
  known: number,
  signal: AbortSignal,
): Promise<Proved> {
  const place = (await listChosenPlaces(context)).find((one) => one.kind === 'WITNESS' && one.url === url);
  if (place === undefined) {
    throw new Error('the witness is not among the places of the log any more');
  }
  const { cosignedAt, line } = await askWitness({
    outgoing,
    url,
    key: readVkey(place.publicKey),
    note: checkpoint.note,
    size: checkpoint.size,
    known,
    prove: (first) => proveConsistency(context, epoch, first, checkpoint.size),
    signal,
  });
  return { vouchedAt: new Date(cosignedAt * 1000), proof: Buffer.from(line) };
}

/** Any failure may be over at the next attempt. The sentence is for administrators, so it has nothing of a body. */
function toRetry(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  const isKnown = error instanceof AppError || error instanceof TimeStampRefusal || error instanceof TimeStampUnavailable;
  return new AppError(
    'UNAVAILABLE',
    (isKnown ? message : `The checkpoint could not be sent: ${message.replace(/\.$/, '')}.`).slice(0, maxError),
    { cause: error },
  );
}

async function record(context: Context, row: AnchorOnItsWay, outcome: Outcome<Answer>): Promise<void> {
  if (outcome.action === 'succeed') {
    await recordAnswer(context, row, outcome.receipt);
    return;
  }
  const error = outcome.action === 'fail' ? outcome.error : outcome.error.message;
  const since = row.failingSince ?? context.now;
  const isToldNow = row.toldAt === null && context.now.getTime() - since.getTime() >= tellAfterMs;
  await updateFailing(context, row.id, error, isToldNow ? context.now : row.toldAt);
  if (isToldNow) {
    const data = { anchor: row.kind, place: row.place, since: since.toISOString(), error };
    await recordEvent(context, { kind: 'log.anchor_failing', targetId: context.tenantId, data });
    context.log.error({ tenant: context.tenantId, ...data }, 'checkpoints of the event log do not reach a place that is to hold them');
  }
}

async function recordAnswer(
  context: Context,
  row: AnchorOnItsWay,
  { epoch, size, root, vouchedAt, proof, isKnown }: Answer,
): Promise<void> {
  if (isKnown) {
    await removeOnTheirWay(context, [row.id]);
    return;
  }
  await updateAnchored(context, row.id, {
    epoch,
    size,
    root: Buffer.from(root, 'base64'),
    vouchedAt: vouchedAt === null ? null : new Date(vouchedAt),
    proof: proof === '' ? null : Buffer.from(proof, 'base64'),
  });
}
