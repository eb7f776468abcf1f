/** A page of the company's settings: only for those who may read it, and without changes for those who may only read. */
import type { ReactNode } from 'react';
import { useMay, useSession } from '~/data/session/session.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { SettingsFrame } from '~/screens/settings/frame.tsx';

interface TenantPageProps {
  readonly title: string;
  readonly intro: string;
  /** The permission that shows the page, and the one that changes what is on it. */
  readonly reads: string;
  readonly writes: string;
  /** Beside the heading, for those who may change something. */
  readonly action?: ReactNode;
  readonly children: (mayWrite: boolean) => ReactNode;
}

export function TenantPage({ title, intro, reads, writes, action, children }: TenantPageProps) {
  const session = useSession();
  const mayRead = useMay(reads);
  const mayWrite = useMay(writes);
  if (session !== undefined && !mayRead) {
    return (
      <SettingsFrame title={title}>
        <Empty icon="lock" title={text('settings.notYours')}>
          {text('settings.notYoursNext')}
        </Empty>
      </SettingsFrame>
    );
  }
  return (
    <SettingsFrame title={title} intro={intro} action={mayWrite ? action : undefined}>
      {session === undefined || mayWrite ? null : <Note>{text('settings.readOnly')}</Note>}
      {mayRead ? children(mayWrite) : null}
    </SettingsFrame>
  );
}
