/** The people of a step by the kind of who is asked: names, an entitlement whose holders are asked, or expressions one after the other. */
import { EntitlementsField } from '~/app/lists/entitlements-field.tsx';
import { PeopleField } from '~/app/people/people-field.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { Condition } from '~/screens/policies/condition.tsx';
import styles from '~/screens/policies/policies.module.css';
import type { Approver, ApproverParts } from '~/screens/policies/types.ts';

interface ApproverFieldsProps {
  readonly kind: Approver;
  readonly parts: ApproverParts;
  readonly onChange: (parts: ApproverParts) => void;
}

export function ApproverFields({ kind, parts, onChange }: ApproverFieldsProps) {
  if (kind === 'users') {
    return <PeopleField label={text('policies.people')} value={parts.userIds ?? []} onChange={(userIds) => onChange({ userIds })} />;
  }
  if (kind === 'group') {
    const { appId = '', appGroupId = '' } = parts;
    return (
      <EntitlementsField
        label={text('policies.group')}
        value={appGroupId === '' ? [] : [{ appId, appEntitlementId: appGroupId }]}
        // The last one chosen takes the place of the one before.
        onChange={(chosen) => onChange({ appId: chosen.at(-1)?.appId ?? '', appGroupId: chosen.at(-1)?.appEntitlementId ?? '' })}
      />
    );
  }
  if (kind !== 'expression') {
    return null;
  }
  const expressions = parts.expressions ?? [''];
  return (
    <>
      {expressions.map((expression, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expression has no identity but its place
        <div key={index} className={styles.expression}>
          <Condition
            label={index === 0 ? text('policies.expression') : text('policies.expressionNumber', { number: index + 1 })}
            environment="EXPRESSION_ENVIRONMENT_POLICY_APPROVER"
            value={expression}
            onChange={(next) => onChange({ expressions: expressions.map((one, place) => (place === index ? next : one)) })}
          />
          {expressions.length === 1 ? null : (
            <Button
              variant="quiet"
              icon="cross"
              onClick={() => onChange({ expressions: expressions.filter((_, place) => place !== index) })}
            >
              {text('policies.removeExpression')}
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button variant="quiet" icon="plus" onClick={() => onChange({ expressions: [...expressions, ''] })}>
          {text('policies.addExpression')}
        </Button>
      </div>
    </>
  );
}
