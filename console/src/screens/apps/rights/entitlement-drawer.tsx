/** One right: what it allows, how risky it is, who owns it and who holds it; edited where that is permitted. */
import { useQuery } from '@tanstack/react-query';
import { announce } from '~/app/announce.ts';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSaved } from '~/app/forms/use-saved.ts';
import { PeopleField } from '~/app/people/people-field.tsx';
import { change, changeMembers } from '~/data/change.ts';
import { riskLevels } from '~/data/inventory/inventory.ts';
import { ClientError } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Drawer } from '~/parts/over/drawer.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import type { RightRow } from './entitlements.tsx';
import { Holders } from '~/screens/apps/access/holders.tsx';
import { RightOwners, rightOwners } from './right-owners.tsx';
import { Risk } from './risk.tsx';

interface EditedRight {
  readonly description: string;
  readonly riskLevelValueId: string;
  readonly owners: string[];
}

export function EntitlementDrawer({ row, onClose }: { row: RightRow; onClose: () => void }) {
  const { right, resource, mayEdit } = row;
  // What an owner without a role may not read is neither asked for nor shown as none.
  const mayReadAll = useMay('inventory.read');
  const levels = useQuery({ ...riskLevels, enabled: mayReadAll }).data?.list ?? [];
  const owners = useQuery({ ...rightOwners(right), enabled: mayReadAll }).data?.list?.map(({ id = '' }) => id) ?? [];
  const address = { appId: right.appId ?? '', id: right.id ?? '' };
  const { draft, set, isBusy, error, changed, save } = useSaved<EditedRight>({
    stored: { description: right.description ?? '', riskLevelValueId: right.riskLevelValueId ?? '', owners },
    send: async ({ wanted, asRead }) => {
      const { owners: userIds, ...own } = wanted;
      const { owners: ownersRead = [], ...ownRead } = asRead;
      if (Object.keys(own).length > 0) {
        await changeMembers('AppEntitlementService.Update', address, 'entitlement', ownRead, own);
      }
      if (userIds !== undefined) {
        const of = { appId: address.appId, entitlementId: address.id };
        await change('AppEntitlementOwnerService.Set', { ...of, userIds }, { userIds: ownersRead });
      }
    },
    stale: ['AppEntitlementSearchService.Search', 'AppEntitlementOwnerService.List', 'GrantService.List'],
    onSaved: () => {
      toast(text('apps.saved'));
      announce(text('apps.saved'));
      onClose();
    },
  });
  const failure = error instanceof ClientError ? error : undefined;
  const faultOf = (field: string) => failure?.violations.find((one) => one.field.endsWith(field))?.description;
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={right.displayName ?? ''}
      footer={
        mayEdit ? (
          <Button variant="primary" busy={isBusy} onClick={save}>
            {text('apps.save')}
          </Button>
        ) : undefined
      }
    >
      <div className={styles.form}>
        {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
        {failure !== undefined && failure.violations.length === 0 ? <Note kind="fault">{failure.message}</Note> : null}
        {mayEdit ? (
          <>
            <TextArea
              label={text('apps.allows')}
              hint={text('apps.allowsHint')}
              value={draft.description}
              onChange={(description) => set({ description })}
              {...withError(faultOf('description'))}
            />
            {levels.length === 0 ? null : (
              <Select
                label={text('apps.risk')}
                value={draft.riskLevelValueId}
                onChange={(riskLevelValueId) => set({ riskLevelValueId })}
                options={[
                  { value: '', label: text('apps.noRisk') },
                  ...levels.map((level) => ({ value: level.id ?? '', label: level.value ?? '' })),
                ]}
                {...withError(faultOf('riskLevelValueId'))}
              />
            )}
            <PeopleField
              label={text('apps.owners')}
              value={draft.owners}
              onChange={(next) => set({ owners: next })}
              anybody
              error={faultOf('userIds')}
            />
          </>
        ) : (
          <Facts
            rows={[
              { term: text('apps.allows'), children: right.description ? <Name>{right.description}</Name> : text('apps.noDescription') },
              ...(mayReadAll
                ? [
                    { term: text('apps.risk'), children: <Risk id={right.riskLevelValueId} /> },
                    { term: text('apps.owners'), children: <RightOwners right={right} /> },
                  ]
                : []),
            ]}
          />
        )}
        {resource === '' ? null : <Facts rows={[{ term: text('apps.resource'), children: <Name>{resource}</Name> }]} />}
        <Holders right={right} />
      </div>
    </Drawer>
  );
}

function withError(error: string | undefined): { error?: string } {
  return error === undefined ? {} : { error };
}
