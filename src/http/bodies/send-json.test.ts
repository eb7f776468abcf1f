/** Replies that are compressed, and for whom. */
import { describe, expect, it } from 'vitest';
import { PersonalClientServiceCreateResponseSchema } from '../../gen/c1/api/iam/v1/personal_client_service_pb.js';
import { TaskServiceGetResponseSchema } from '../../gen/c1/api/task/v1/task_service_pb.js';
import { SignInLinkServicePrintResponseSchema } from '../../gen/countersign/v1/sessions_pb.js';
import { ReviewQueueServiceReadQueueResponseSchema } from '../../gen/countersign/v1/review_queue_pb.js';
import { carriesSecret, chooseEncoding } from './send-json.ts';

describe('a reply', () => {
  it('is compressed as its client takes it', () => {
    expect(['gzip, deflate, br', 'gzip, br;q=0', 'GZIP;q=0.5', 'br;q=0.0', '*', ''].map(chooseEncoding)).toEqual([
      'br',
      'gzip',
      'gzip',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('that can carry a secret is never compressed', () => {
    expect([PersonalClientServiceCreateResponseSchema, SignInLinkServicePrintResponseSchema].map((desc) => carriesSecret(desc))).toEqual([
      true,
      true,
    ]);
    expect([ReviewQueueServiceReadQueueResponseSchema, TaskServiceGetResponseSchema].map((desc) => carriesSecret(desc))).toEqual([
      false,
      false,
    ]);
  });
});
