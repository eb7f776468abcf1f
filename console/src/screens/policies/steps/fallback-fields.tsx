/** People and holders of entitlements who are asked where a step finds nobody. */
import { EntitlementsField } from '~/app/lists/entitlements-field.tsx';
import { PeopleField } from '~/app/people/people-field.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { text } from '~/text/text.ts';
import type { ApproverParts } from '~/screens/policies/types.ts';

export function FallbackFields({ parts, onChange }: { parts: ApproverParts; onChange: (parts: ApproverParts) => void }) {
  return (
    <>
      <Switch
        label={text('policies.fallback')}
        hint={text('policies.fallbackHint')}
        checked={parts.fallback === true}
        onChange={(fallback) => onChange({ fallback })}
      />
      {parts.fallback === true ? (
        <>
          <PeopleField
            label={text('policies.fallbackPeople')}
            value={parts.fallbackUserIds ?? []}
            onChange={(fallbackUserIds) => onChange({ fallbackUserIds })}
          />
          <EntitlementsField
            label={text('policies.fallbackGroups')}
            value={parts.fallbackGroupIds ?? []}
            onChange={(chosen) => onChange({ fallbackGroupIds: [...chosen], isGroupFallbackEnabled: chosen.length > 0 })}
          />
        </>
      ) : null}
    </>
  );
}
