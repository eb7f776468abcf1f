/**
 * The policy a tenant starts with, and which policy holds where none was chosen.
 */
import { AppError } from '../../errors.ts';
import { PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { inTransaction, type Context } from '../../context.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { builtinCertifyPolicy, certifyType } from './document.ts';
import { findBuiltinPolicy, insertPolicy, type PolicyRow } from './store.ts';

/** The tenant's starting certify policy; makes it where it is missing, once however many ask. */
export async function ensureBuiltinPolicy(context: Context): Promise<PolicyRow> {
  const present = await findBuiltinPolicy(context, certifyType);
  return present ?? inTransaction(context, addBuiltinPolicy);
}

async function addBuiltinPolicy(context: Context): Promise<PolicyRow> {
  const document = canonicalise(PolicySchema, builtinCertifyPolicy);
  const id = newId(context.now);
  const displayName = String(document.displayName);
  if (await insertPolicy(context, { id, displayName, policyType: certifyType, systemBuiltin: true, document })) {
    await recordEvent(context, {
      kind: 'policy.created',
      targetType: 'policy',
      targetId: id,
      data: { displayName, policyType: certifyType, systemBuiltin: true },
    });
  }
  const policy = await findBuiltinPolicy(context, certifyType);
  if (policy === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'the builtin policy is not there after it was made' });
  }
  return policy;
}

/** The policy of a review that chose none: the tenant's starting one. */
export function findDefaultPolicy(context: Context): Promise<PolicyRow> {
  return ensureBuiltinPolicy(context);
}
