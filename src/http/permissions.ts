/** Reading from the contract what a method asks of its callers. Who meets that is in the module authority. */
import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { type Act as ActKind, type Demand, type Permission, rolesByPermission } from '../foundation/authority/index.ts';
import {
  Act,
  act as actOption,
  Object$ as ObjectRule,
  object$ as objectOption,
  permission as permissionOption,
} from '../gen/countersign/options_pb.js';

/** Needs of a method; throws, at start, where the contract names no permission of the table, no act or no object. */
export function methodDemand(method: DescMethod): Demand {
  const name = `${method.parent.typeName}.${method.name}`;
  const permission = getOption(method, permissionOption);
  if (!Object.hasOwn(rolesByPermission, permission)) {
    throw new TypeError(`${name} names no permission of the table: ${JSON.stringify(permission)}`);
  }
  const [act, object] = [getOption(method, actOption), getOption(method, objectOption)];
  if (act === Act.ACT_UNSPECIFIED || object === ObjectRule.OBJECT_UNSPECIFIED) {
    throw new TypeError(`${name} does not say what it is: add option (countersign.act) and option (countersign.object)`);
  }
  return { permission: permission as Permission, act: Act[act] as ActKind };
}
