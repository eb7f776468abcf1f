/** `countersign review evidence`: has the evidence of a closed review made, waits for it and downloads it. */
import type { Client } from '../../client/index.ts';
import { type EvidenceBundleJson, EvidenceService } from '../../gen/countersign/v1/evidence_pb.js';
import type { Commands } from '../frame/commands.ts';
import { CommandFailure, type CommandIo } from '../frame/io.ts';
import { pauses } from '../frame/wait.ts';
import { saveFile } from './save-file.ts';

/** Adds `review evidence`. */
export function addEvidenceCommand(group: Commands): void {
  group.run('evidence', {
    description: 'have the evidence of a closed review made as one sealed file, and download it',
    operands: { '<review>': 'id of the review' },
    options: { '-o, --output <file>': 'where to write it; - for standard output (default: review-<id>.evidence.zip)' },
    act: async ({ review: id, output: file = `review-${id}.evidence.zip`, json }, { io, client }) =>
      saveFile(io, client, await generateEvidence(io, client, id), file, json === true),
  });
}

/** Asks for a bundle and resolves with it once it can be downloaded. */
async function generateEvidence(io: CommandIo, client: Client, accessReviewId: string): Promise<EvidenceBundleJson> {
  const { evidenceBundle: asked } = await client.call(EvidenceService.method.generate, { accessReviewId });
  for await (const _ of pauses(io.signal)) {
    for await (const bundle of client.pages(EvidenceService.method.list, { accessReviewId })) {
      if (bundle.id === asked?.id && bundle.state === 'EVIDENCE_BUNDLE_STATE_OK') {
        return bundle;
      }
      if (bundle.id === asked?.id && bundle.state === 'EVIDENCE_BUNDLE_STATE_ERROR') {
        throw new CommandFailure(`the server could not make the evidence: ${bundle.error ?? ''}`);
      }
    }
  }
  throw new CommandFailure('the evidence did not appear');
}
