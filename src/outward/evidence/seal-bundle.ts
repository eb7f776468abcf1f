/**
 * The seal of a bundle: the event that has the hash of its manifest, the proof that it is in the log, that the log only grew meanwhile, and the time
 * stamp over its checkpoint. Servers are asked as for any anchor, so outside of transactions; this looks for what they answered.
 */
import type { ChunkResult, Job } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { writeLogProof } from '../../lib/log/log-proof.ts';
import { createSealedZip } from '../../lib/zip/sealed-zip.ts';
import { listNamedEntries } from '../../foundation/audit/index.ts';
import { findEpoch, findStamped, proveConsistency, proveInclusion, sendToStamp, signHead } from '../../foundation/log-proofs/index.ts';
import { insertChunk, removeChunks, type ReportRow } from '../reports/index.ts';
import type { BundleCursor } from './bundle-cursor.ts';
import { lineOfEvent } from './event-line.ts';
import { returnToLog } from './log-place.ts';

/** Seconds that the time stamp servers have; a bundle is sealed without where none answers. */
const maxStampLooks = 15;

/** Writes the seal once the event has its position. Where the review got another event before it, the members of the log are written again. */
export async function sealBundle(context: Context, report: ReportRow, job: Job, cursor: BundleCursor): Promise<ChunkResult> {
  const progress = { done: job.done, total: job.total };
  const [entry] = await listNamedEntries(context, [cursor.sealId], []);
  if (entry === undefined) {
    return { cursor: { ...cursor }, ...progress, runAt: new Date(context.now.getTime() + 1_000) };
  }
  const epoch = await findEpoch(context, 0);
  const { log } = cursor;
  if (log === null || epoch.epoch !== log.epoch || entry.reviewPrevious !== cursor.lastPosition) {
    return { cursor: { ...(await returnToLog(context, report.id, cursor)) }, ...progress };
  }
  const index = entry.position - epoch.base;
  const stamped = await findStamped(context, epoch.epoch, index + 1);
  if (stamped === undefined && cursor.stampLooks < maxStampLooks && (await sendToStamp(context))) {
    return { cursor: { ...cursor, stampLooks: cursor.stampLooks + 1 }, ...progress, runAt: new Date(context.now.getTime() + 1_000) };
  }
  const head = stamped ?? (await signHead(context, epoch));
  const [proof = []] = await proveInclusion(context, epoch, [index], head.size);
  const consistency = await proveConsistency(context, epoch, log.size, head.size);
  const zip = createSealedZip((number, content) => insertChunk(context, report.id, number, content), cursor.zip);
  const add = async (name: string, content: string | Buffer): Promise<void> => {
    await zip.open(name, true);
    await zip.add(Buffer.from(content));
    await zip.close();
  };
  await add('seal/event.json', await lineOfEvent(context, entry));
  await add('seal/proof.tlog-proof', writeLogProof({ index, proof, note: Buffer.from(head.note) }));
  await add(
    'seal/consistency.json',
    canonicalJson({ first: log.size, second: head.size, proof: consistency.map((hash) => hash.toString('base64')) }),
  );
  if (stamped !== undefined) {
    await add('seal/timestamp.tsr', stamped.reply);
  }
  await zip.finish();
  await removeChunks(context, report.id, 'before', 0);
  return { cursor: { ...cursor, zip: zip.state(), stage: 'finish' }, ...progress };
}
