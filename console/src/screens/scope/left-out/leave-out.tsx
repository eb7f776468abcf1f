/** Exclusions by name, each with a reason; which accounts are left out whole; what alone is asked about; and whether only what is new is. */
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { text } from '~/text/text.ts';
import { AccountBoxes } from '~/screens/scope/about/account-boxes.tsx';
import { chosenApps } from '~/screens/scope/about/chosen.ts';
import { Clause } from '~/screens/scope/clause.tsx';
import { ExclusionForm } from './exclusion-form.tsx';
import { Exclusions } from './exclusions.tsx';
import { Disclosure } from '~/parts/layout/disclosure.tsx';
import { NamedGrants } from './named-grants.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';

export function LeaveOut({ draft: { review, change }, lists: { lists, store, isReady, isBusy, fault }, count }: ClauseProps) {
  const [isAdding, setAdding] = useState(false);
  const exclusions = lists.exclusions ?? [];
  const { appUserTypes = [], appUserStatuses = [] } = review.exclusionScope ?? {};
  return (
    <Clause word={text('scope.leaveOut')} count={count}>
      <Exclusions exclusions={exclusions} onChange={(next) => store({ exclusions: [...next] })} />
      {isAdding ? (
        <ExclusionForm
          appIds={chosenApps(review)}
          isBusy={isBusy}
          onAdd={(one) => {
            store({ exclusions: [...exclusions, one] });
            setAdding(false);
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <div>
          <Button
            variant="quiet"
            icon="plus"
            disabledReason={isReady ? undefined : text('scope.listsNotRead')}
            onClick={() => setAdding(true)}
          >
            {text('scope.addExclusion')}
          </Button>
        </div>
      )}
      <Switch
        label={text('scope.changesOnly')}
        hint={text('scope.changesOnlyHint')}
        checked={lists.changesOnly === true}
        onChange={(changesOnly) => store({ changesOnly })}
      />
      <Disclosure label={text('scope.accountsLeftOut')} isSet={appUserTypes.length + appUserStatuses.length > 0}>
        <p>{text('scope.accountsLeftOutWhat')}</p>
        <AccountBoxes
          types={appUserTypes}
          statuses={appUserStatuses}
          onTypes={(next) => change({ exclusionScope: { appUserStatuses, appUserTypes: next } })}
          onStatuses={(next) => change({ exclusionScope: { appUserTypes, appUserStatuses: next } })}
        />
      </Disclosure>
      <Disclosure label={text('scope.onlyGrants')} isSet={(lists.grants ?? []).length > 0}>
        <NamedGrants grants={lists.grants ?? []} onChange={(grants) => store({ grants: [...grants] })} />
      </Disclosure>
      {fault === undefined ? null : <Note kind="fault">{fault}</Note>}
    </Clause>
  );
}
