/** One's own API credentials: what there is, a new one, and taking one away. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readPages } from '../../../data/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Pages } from '../../../parts/pages.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { text } from '../../../text/text.ts';
import { SettingsFrame } from '../frame.tsx';
import { NewCredential } from './new-credential.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { CredentialTable } from './table.tsx';
import type { Credential, MadeCredential } from './types.ts';
import { useRoles } from './use-roles.ts';

export function CredentialsPage() {
  const list = useInfiniteQuery(readPages('PersonalClientService.List', { pageSize: 100 }));
  const roles = useRoles();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeCredential>();
  const [leaving, setLeaving] = useState<Credential>();
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  const action = (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      {text('credentials.new')}
    </Button>
  );
  return (
    <SettingsFrame title={text('settings.credentials')} intro={text('credentials.intro')} action={action}>
      {list.isPending ? <Skeleton rows={4} /> : null}
      {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isSuccess && rows.length === 0 ? (
        <Empty icon="key" title={text('credentials.none')} action={action}>
          {text('credentials.noneNext')}
        </Empty>
      ) : null}
      {rows.length > 0 ? <CredentialTable rows={rows} roles={roles} onRevoke={setLeaving} /> : null}
      <Pages query={list} />
      <NewCredential open={isMaking} onOpenChange={setMaking} roles={roles} onMade={setMade} />
      {made === undefined ? null : <SecretDialog made={made} onDone={() => setMade(undefined)} />}
      {leaving === undefined ? null : <RevokeDialog credential={leaving} onClose={() => setLeaving(undefined)} />}
    </SettingsFrame>
  );
}
