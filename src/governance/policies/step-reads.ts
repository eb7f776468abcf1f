/** Part of an item that the steps of a policy read to find the people they ask: those who are asked are found once for each value of it. */
import { compileExpression } from '../../lib/cel/compile.ts';
import { approverKinds, findMember, type RouteStep } from './document.ts';

/** Part of an item a step reads besides its app; ITEM for more than one of these together. */
export type Reads = 'PERSON' | 'ENTITLEMENT' | 'RESOURCE' | 'ACCOUNT' | 'ITEM' | 'NOTHING';

/** Task fields that belong to the item alone. */
const itemFields = ['task.isGrantPermanent', 'task.grantDuration', 'task.analysis', 'task'];

function readsOfExpressions(texts: readonly string[]): Reads {
  const names = new Set<string>();
  for (const text of texts) {
    const compiled = compileExpression(text, 'POLICY_APPROVER');
    if ('expression' in compiled) {
      const { variables, fields } = compiled.expression;
      for (const name of variables) {
        names.add(name);
      }
      if (itemFields.some((field) => fields.has(field))) {
        return 'ITEM';
      }
    }
  }
  const [ofEntitlement, ofAccount, ofPerson] = [names.has('entitlement'), names.has('account'), names.has('subject') || names.has('task')];
  if (ofEntitlement) {
    return ofAccount || ofPerson ? 'ITEM' : 'ENTITLEMENT';
  }
  return ofAccount ? 'ACCOUNT' : ofPerson ? 'PERSON' : 'NOTHING';
}

/** Finds what a step reads: the person for their manager or themselves, the entitlement or its resource for the owners of that. */
export function stepReads({ approval = {} }: RouteStep = {}): Reads {
  switch (findMember(approval, approverKinds)) {
    case 'manager':
    case 'self':
      return 'PERSON';
    case 'entitlementOwners':
      return 'ENTITLEMENT';
    case 'resourceOwners':
      return 'RESOURCE';
    case 'expression':
      return readsOfExpressions(approval.expression?.expressions ?? []);
    case 'appOwners':
    case 'users':
    case 'group':
    case 'agent':
    case 'webhook':
    case undefined:
      return 'NOTHING';
  }
}
