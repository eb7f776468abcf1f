/** Sending a file, or the end of a log, as a task's. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import type { BatonService, BatonServiceUploadAssetRequestSchema } from '../gen/c1/connectorapi/baton/v1/baton_pb.js';

type Piece = MessageInitShape<typeof BatonServiceUploadAssetRequestSchema>;

const pieceBytes = 1024 * 1024;

/** Task of this host. */
export interface OwnTask {
  readonly hostId: string;
  readonly taskId: string;
}

async function* piecesOf(task: OwnTask, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Piece> {
  const digest = createHash('sha256');
  yield { msg: { case: 'metadata', value: task } };
  for await (const data of bytes) {
    digest.update(data);
    yield { msg: { case: 'data', value: { data } } };
  }
  yield { msg: { case: 'eof', value: { sha256Checksum: digest.digest() } } };
}

/** Sends a file. */
export async function uploadFile(client: Client<typeof BatonService>, task: OwnTask, path: string, signal: AbortSignal): Promise<void> {
  const file = createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
  await client.uploadAsset(piecesOf(task, file), { signal });
}

/** Sends the end of a log. */
export async function uploadLog(client: Client<typeof BatonService>, task: OwnTask, log: string, signal: AbortSignal): Promise<void> {
  if (log !== '') {
    await client.uploadAsset(piecesOf(task, [Buffer.from(log)]), { signal });
  }
}
