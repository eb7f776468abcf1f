/**
 * The policy a tenant starts with, and which policy holds where none was chosen.
 */
import { AppError } from '../../errors.ts';
import { PolicySchema } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { inTransaction, type Scope } from '../../scope.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { builtinCertifyPolicy, certifyType } from './document.ts';
import { findBuiltinPolicy, insertPolicy, type PolicyRow } from './store.ts';

/** The tenant's starting certify policy; makes it where it is missing, once however many ask. */
export async function ensureBuiltinPolicy(scope: Scope): Promise<PolicyRow> {
  const present = await findBuiltinPolicy(scope, certifyType);
  return present ?? inTransaction(scope, addBuiltinPolicy);
}

async function addBuiltinPolicy(scope: Scope): Promise<PolicyRow> {
  const document = canonicalise(PolicySchema, builtinCertifyPolicy);
  const id = newId(scope.now);
  const displayName = String(document.displayName);
  if (await insertPolicy(scope, { id, displayName, policyType: certifyType, systemBuiltin: true, document })) {
    await recordEvent(scope, {
      kind: 'policy.created',
      targetType: 'policy',
      targetId: id,
      data: { displayName, policyType: certifyType, systemBuiltin: true },
    });
  }
  const policy = await findBuiltinPolicy(scope, certifyType);
  if (policy === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'the builtin policy is not there after it was made' });
  }
  return policy;
}

/** The policy of a review that chose none: the tenant's starting one. */
export function findDefaultPolicy(scope: Scope): Promise<PolicyRow> {
  return ensureBuiltinPolicy(scope);
}
