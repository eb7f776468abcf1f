/** One right: what it allows, how risky it is, who owns it and who holds it; edited where that is permitted. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { announce } from '~/app/announce.ts';
import { PeopleField } from '~/app/people/people-field.tsx';
import { riskLevels } from '~/data/inventory/inventory.ts';
import { call, ClientError, forget } from '~/data/query.ts';
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

export function EntitlementDrawer({ row, onClose }: { row: RightRow; onClose: () => void }) {
  const { right, resource, mayEdit } = row;
  const [description, setDescription] = useState(right.description ?? '');
  const [risk, setRisk] = useState(right.riskLevelValueId ?? '');
  const [chosen, setChosen] = useState<readonly string[] | undefined>();
  // What an owner without a role may not read is neither asked for nor shown as none.
  const mayReadAll = useMay('inventory.read');
  const levels = useQuery({ ...riskLevels, enabled: mayReadAll }).data?.list ?? [];
  const owners = useQuery({ ...rightOwners(right), enabled: mayReadAll }).data?.list?.map(({ id = '' }) => id) ?? [];
  const address = { appId: right.appId ?? '', id: right.id ?? '' };
  const save = useSend({
    mutationFn: async () => {
      const mask = [
        ...(description === (right.description ?? '') ? [] : ['description']),
        ...(risk === (right.riskLevelValueId ?? '') ? [] : ['riskLevelValueId']),
      ];
      if (mask.length > 0) {
        const entitlement = { description, riskLevelValueId: risk };
        await call('AppEntitlementService.Update', { ...address, entitlement, updateMask: mask.join(',') });
      }
      if (chosen !== undefined) {
        await call('AppEntitlementOwnerService.Set', { appId: address.appId, entitlementId: address.id, userIds: [...chosen] });
      }
    },
    onSuccess: async () => {
      toast(text('apps.saved'));
      announce(text('apps.saved'));
      onClose();
      await forget('AppEntitlementSearchService.Search', 'AppEntitlementOwnerService.List', 'GrantService.List');
    },
  });
  const failure = save.error instanceof ClientError ? save.error : undefined;
  const faultOf = (field: string) => failure?.violations.find((one) => one.field.endsWith(field))?.description;
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={right.displayName ?? ''}
      footer={
        mayEdit ? (
          <Button variant="primary" busy={save.isPending} onClick={() => save.mutate()}>
            {text('apps.save')}
          </Button>
        ) : undefined
      }
    >
      <div className={styles.form}>
        {failure !== undefined && failure.violations.length === 0 ? <Note kind="fault">{failure.message}</Note> : null}
        {mayEdit ? (
          <>
            <TextArea
              label={text('apps.allows')}
              hint={text('apps.allowsHint')}
              value={description}
              onChange={setDescription}
              {...withError(faultOf('description'))}
            />
            {levels.length === 0 ? null : (
              <Select
                label={text('apps.risk')}
                value={risk}
                onChange={setRisk}
                options={[
                  { value: '', label: text('apps.noRisk') },
                  ...levels.map((level) => ({ value: level.id ?? '', label: level.value ?? '' })),
                ]}
                {...withError(faultOf('riskLevelValueId'))}
              />
            )}
            <PeopleField label={text('apps.owners')} value={chosen ?? owners} onChange={setChosen} anybody error={faultOf('userIds')} />
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
