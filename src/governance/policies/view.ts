/** Policies as clients see them. */
import { type Policy, PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { keptRow, type Row } from '../../wire/row.ts';
import { asSeen } from '../../foundation/authority/index.ts';
import type { PolicyRow } from './store.ts';

/** A policy as c1.api.policy.v1.Policy, or its card for whoever does not read policies. */
export function shapePolicy(row: PolicyRow, isWhole = true): Row<Policy> {
  const whole: Row<Policy> = { ...row, ...keptRow(PolicySchema, row.document) };
  return asSeen('policy', isWhole, whole);
}
