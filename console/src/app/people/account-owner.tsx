/** Owner of an account: set to a person, to no person at all, or left to what it matches. */
import { useSend } from '~/data/act.ts';
import { useState } from 'react';
import { findAnybody, type Found } from '~/data/inventory/find.ts';
import { type Account, accountName, personName, type Person } from '~/data/inventory/inventory.ts';
import { change, readChange } from '~/data/change.ts';
import { call, ClientError, forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { announce } from '~/app/announce.ts';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import styles from './account-owner.module.css';

interface AccountOwnerProps {
  readonly account: Account;
  readonly owner: Person | undefined;
  readonly onClose: () => void;
}

type Way = 'person' | 'nobody' | 'match';

export function AccountOwner({ account, owner, onClose }: AccountOwnerProps) {
  const [way, setWay] = useState<Way>('person');
  const [person, setPerson] = useState<Found | undefined>(
    owner === undefined ? undefined : { id: owner.id ?? '', label: personName(owner) },
  );
  const [ownerRead, setOwnerRead] = useState(account.identityUserId ?? '');
  const address = { appId: account.appId ?? '', appUserId: account.id ?? '' };
  const save = useSend({
    mutationFn: async () => {
      if (way === 'match') {
        const { matchCount = 0 } = await call('AccountOwnerService.ReleaseOwner', address);
        return matchCount === 1 ? text('owner.matched') : text('owner.matches', { count: matchCount });
      }
      const userId = way === 'person' ? (person?.id ?? '') : '';
      try {
        await change('AccountOwnerService.SetOwner', { ...address, userId }, { userId: ownerRead });
      } catch (error) {
        if (readChange(error) !== undefined) {
          const { list = [] } = await call('AppUserService.Search', { refs: [{ appId: address.appId, id: address.appUserId }] });
          setOwnerRead(list[0]?.appUser?.identityUserId ?? '');
        }
        throw error;
      }
      return text('owner.saved');
    },
    onSuccess: async (said) => {
      toast(said);
      announce(said);
      onClose();
    },
    onSettled: () =>
      forget(
        'AppUserService.Search',
        'GrantService.List',
        'IdentityService.ListUnownedAccounts',
        'IdentityService.ListAmbiguousAccounts',
        'IdentityService.ListLeaversWithAccounts',
      ),
  });
  const other = readChange(save.error);
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text('owner.title', { name: accountName(account) })}
      footer={
        <>
          <Button onClick={onClose}>{text('owner.cancel')}</Button>
          <Button
            variant="primary"
            busy={save.isPending}
            {...(way === 'person' && person === undefined ? { disabledReason: text('owner.choose') } : {})}
            onClick={() => save.mutate()}
          >
            {text('owner.save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {account.ownerByFormerAddress === true ? (
          <Note kind="warn">{text('owner.formerConfirm', { address: account.email ?? '' })}</Note>
        ) : null}
        {other !== undefined ? (
          <ChangedMeanwhile change={other} busy={save.isPending} onLoad={onClose} onAgain={() => save.mutate()} />
        ) : save.error instanceof ClientError ? (
          <Note kind="fault">{save.error.message}</Note>
        ) : null}
        <RadioGroup
          label={text('owner.who')}
          value={way}
          onChange={(value: string) => setWay(value as Way)}
          options={[
            { value: 'person', label: text('owner.person') },
            { value: 'nobody', label: text('owner.none'), hint: text('owner.noneHint') },
            { value: 'match', label: text('owner.match'), hint: text('owner.matchHint') },
          ]}
        />
        {way === 'person' ? (
          <Combobox
            label={text('owner.personLabel')}
            value={person}
            onChange={(value: Found | undefined | null) => setPerson(value ?? undefined)}
            search={findAnybody}
            placeholder={text('owner.find')}
          />
        ) : null}
      </div>
    </Dialog>
  );
}
