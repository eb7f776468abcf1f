/** One's own API credentials: what there is, a new one, and taking one away. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { text } from '~/text/text.ts';
import { SettingsFrame } from '~/screens/settings/frame.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { CredentialTable } from './table.tsx';
import type { Credential, MadeCredential } from './types.ts';
import { useRoles } from './use-roles.ts';
import { ownCredentialsQuery } from '~/screens/settings/route.tsx';

const NewCredential = lazyPart(() => import('./new-credential.tsx').then(({ NewCredential: component }) => component));

export function CredentialsPage() {
  const list = useInfiniteQuery(ownCredentialsQuery);
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
      <CredentialTable
        query={list}
        empty={
          <Empty icon="key" title={text('credentials.none')} action={action}>
            {text('credentials.noneNext')}
          </Empty>
        }
        rows={rows}
        roles={roles}
        onRevoke={setLeaving}
      />
      <Suspense>{isMaking ? <NewCredential onClose={() => setMaking(false)} roles={roles} onMade={setMade} /> : null}</Suspense>
      {made === undefined ? null : <SecretDialog made={made} onDone={() => setMade(undefined)} />}
      {leaving === undefined ? null : <RevokeDialog credential={leaving} onClose={() => setLeaving(undefined)} />}
    </SettingsFrame>
  );
}
