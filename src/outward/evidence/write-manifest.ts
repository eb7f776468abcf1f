/** The manifest of a bundle: the hashes of all blocks, and the files they make up. Its own hash is what the log seals. */
import { createHash, hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { readVersion } from '../../lib/version.ts';
import { createSealedZip } from '../../lib/zip/sealed-zip.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findChunk, insertChunk, type ReportRow } from '../reports/index.ts';
import type { ReviewRow } from '../../governance/reviews/index.ts';
import type { BundleCursor } from './bundle-cursor.ts';
import { members } from './members.ts';
import { type BlockHash, noteNumber } from './write-blocks.ts';

/** Writes both, and the event of the seal in the same transaction. */
export async function writeManifest(context: Context, report: ReportRow, review: ReviewRow, cursor: BundleCursor): Promise<BundleCursor> {
  const zip = createSealedZip((number, content) => insertChunk(context, report.id, number, content), cursor.zip);
  const roots = new Map<string, { readonly root: ReturnType<typeof createHash>; blocks: number }>();
  const hashes = createHash('sha256');
  await zip.open('hashes.jsonl', true);
  for (let note = 0; note < cursor.notes; note++) {
    const content = await readNote(context, report.id, note);
    await zip.add(content);
    hashes.update(content);
    for (const line of content.toString().trimEnd().split('\n')) {
      const { path, sha256 } = JSON.parse(line) as BlockHash;
      const file = roots.get(path) ?? { root: createHash('sha256'), blocks: 0 };
      file.root.update(Buffer.from(sha256, 'hex'));
      file.blocks += 1;
      roots.set(path, file);
    }
  }
  await zip.close();
  const files = members.map(({ path }) => {
    const file = roots.get(path);
    const bytes = cursor.zip.entries.find(({ name }) => name === path)?.bytes ?? 0;
    return { path, bytes, blocks: file?.blocks ?? 0, root: file?.root.digest('hex') ?? hash('sha256', '', 'hex') };
  });
  const manifest = canonicalJson({
    v: 1,
    format: 'countersign-evidence',
    product: `Countersign ${readVersion()}`,
    origin: cursor.log?.origin ?? '',
    tenant: context.tenantId,
    review: review.id,
    madeAt: report.createdAt.toISOString(),
    counts: cursor.counts,
    files,
    hashesSha256: hashes.digest('hex'),
  });
  await zip.open('manifest.json', true);
  await zip.add(Buffer.from(manifest));
  await zip.close();
  const sealId = await recordEvent(context, {
    kind: 'review.evidence_sealed',
    targetId: review.id,
    data: { manifest: hash('sha256', manifest, 'hex') },
  });
  return { ...cursor, zip: zip.state(), stage: 'seal', sealId };
}

async function readNote(context: Context, reportId: string, note: number): Promise<Buffer> {
  const content = await findChunk(context, reportId, noteNumber(note));
  if (content === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `note ${note} of bundle ${reportId} is missing` });
  }
  return content;
}
