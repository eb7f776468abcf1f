/**
 * How a policy looks outside.
 */
import { type PolicyJson, PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { PolicyRow } from './store.ts';

/** A policy as c1.api.policy.v1.Policy. */
export function shapePolicy(row: PolicyRow): PolicyJson {
  return shape(PolicySchema, {
    ...(row.document as PolicyJson),
    id: row.id,
    systemBuiltin: row.systemBuiltin,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}
