/**
 * The policy a tenant starts with, and which policy holds where none was chosen.
 */
import { orThrow } from '../../errors.ts';
import type { PolicyJson, PolicyTypeJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { policyDocument } from './create.ts';
import { builtinCertifyPolicy, builtinRevokePolicy, certifyType, revokeType } from './document.ts';
import { findBuiltinPolicy, insertPolicy, type PolicyRow } from './store.ts';

/** The tenant's starting certify policy; makes it where it is missing, once however many ask. */
export async function ensureBuiltinPolicy(context: Context): Promise<PolicyRow> {
  const present = await findBuiltinPolicy(context, certifyType);
  return present ?? inTransaction(context, (inner) => addBuiltinPolicy(inner, certifyType, builtinCertifyPolicy));
}

/** The policy by which a tenant removes access where nothing else is chosen; makes it where it is missing, with the first removal. */
export async function ensureRevokePolicy(context: Context): Promise<PolicyRow> {
  const present = await findBuiltinPolicy(context, revokeType);
  return present ?? inTransaction(context, (inner) => addBuiltinPolicy(inner, revokeType, builtinRevokePolicy));
}

async function addBuiltinPolicy(context: Context, policyType: PolicyTypeJson, starting: PolicyJson): Promise<PolicyRow> {
  const document = policyDocument(starting);
  const id = newId(context.now);
  const { displayName } = document;
  if (await insertPolicy(context, { id, displayName, policyType, systemBuiltin: true, document })) {
    await recordEvent(context, {
      kind: 'policy.created',
      targetId: id,
      data: { displayName, policyType, systemBuiltin: true },
    });
  }
  const policy = await findBuiltinPolicy(context, policyType);
  return orThrow(policy, 'INTERNAL', 'Something went wrong on our side.', { detail: 'the builtin policy is not there after it was made' });
}

/** The policy of a review that chose none: the tenant's starting one. */
export function findDefaultPolicy(context: Context): Promise<PolicyRow> {
  return ensureBuiltinPolicy(context);
}
