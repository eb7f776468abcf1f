/** Requirements of a request: values of attributes, by id. */
import { AppError, type FieldViolation } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type AttributeTypeRow, COMPLIANCE_FRAMEWORK, RISK_LEVEL } from './attribute-types.ts';
import { type AttributeValueRow, findValue, listValuesByIds, lockValues } from './store.ts';

/** The value with this id, and of this type where one is given; NOT_FOUND for none. */
export async function requireValue(context: Context, id: string, type?: AttributeTypeRow): Promise<AttributeValueRow> {
  const row = await findValue(context, id);
  if (row === undefined || (type !== undefined && row.typeId !== type.id)) {
    throw new AppError('NOT_FOUND', type === undefined ? 'There is no such value.' : `There is no such value of ${type.name}.`);
  }
  return row;
}

/** The values an entitlement is to carry; '' and an empty list are none. */
export interface CarriedValues {
  readonly riskLevelValueId: string;
  readonly complianceFrameworkValueIds: readonly string[];
}

/** Keeps values from being deleted until the transaction ends. Called before any row but the app's is locked: a deletion locks entitlements. */
export function keepValues(context: Context): Promise<void> {
  return lockValues(context, false);
}

/** Finds faults in the values an entitlement is to carry: those that are not there or of another type. `prefix` is put before each field. */
export async function findWrongValues(context: Context, carried: CarriedValues, prefix: string): Promise<FieldViolation[]> {
  const { riskLevelValueId: risk, complianceFrameworkValueIds: frameworks } = carried;
  const violations: FieldViolation[] = [];
  if (risk !== '' && (await listValuesByIds(context, RISK_LEVEL.id, [risk])).length === 0) {
    violations.push({ field: `${prefix}riskLevelValueId`, description: describe(risk, RISK_LEVEL) });
  }
  if (frameworks.length > 0) {
    const known = new Set((await listValuesByIds(context, COMPLIANCE_FRAMEWORK.id, frameworks)).map((row) => row.id));
    frameworks.forEach((id, index) => {
      if (!known.has(id)) {
        violations.push({ field: `${prefix}complianceFrameworkValueIds[${index}]`, description: describe(id, COMPLIANCE_FRAMEWORK) });
      }
    });
  }
  return violations;
}

function describe(id: string, type: AttributeTypeRow): string {
  return `no value of ${type.name} has the id ${JSON.stringify(id.slice(0, 64))}`;
}
