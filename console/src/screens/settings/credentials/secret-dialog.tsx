/** The secret of a new credential, once: copied, saved, tried. It is in this component alone; leaving without it is asked about once. */
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { safeFileName, saveFile } from '~/data/save-file.ts';
import { text } from '~/text/text.ts';
import styles from './credentials.module.css';
import { TryIt } from './try-it.tsx';
import type { MadeCredential } from './types.ts';

export function SecretDialog({ made, onDone }: { made: MadeCredential; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const [isAsked, setAsked] = useState(false);
  /** True if leaving is held back: once, while nobody has said that the secret is kept. */
  const holdsBack = (): boolean => {
    const holds = !isKept && !isAsked;
    if (holds) {
      setAsked(true);
    }
    return holds;
  };
  useBlocker({ shouldBlockFn: holdsBack, enableBeforeUnload: () => !isKept });
  const leave = () => {
    if (!holdsBack()) {
      onDone();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) {
          leave();
        }
      }}
      title={text('credentials.keepTitle')}
      footer={
        <>
          <span className={styles.kept}>
            <Checkbox label={text('credentials.kept')} checked={isKept} onChange={setKept} />
          </span>
          <Button
            icon="download"
            onClick={() => {
              save(made);
              setKept(true);
            }}
          >
            {text('credentials.saveFile')}
          </Button>
          <Button variant={isAsked && !isKept ? 'danger' : 'primary'} onClick={leave}>
            {text(isAsked && !isKept ? 'credentials.leaveWithout' : 'credentials.done')}
          </Button>
        </>
      }
    >
      <div className={styles.secret}>
        <p className={styles.hint}>{text('credentials.keepWords')}</p>
        <Pair label={text('credentials.clientId')} value={made.clientId} />
        <Pair label={text('credentials.clientSecret')} value={made.secret} isSecret />
        <TryIt clientId={made.clientId} />
        {isAsked && !isKept ? (
          <div role="alert">
            <Note kind="warn">{text('credentials.leaveWords')}</Note>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}

function Pair({ label, value, isSecret = false }: { label: string; value: string; isSecret?: boolean }) {
  return (
    <div className={styles.pair}>
      <b>{label}</b>
      <div className={styles.box} data-secret={isSecret || undefined}>
        <code>{value}</code>
        <Copy value={value} label={text('credentials.copyOf', { what: label })} />
      </div>
    </div>
  );
}

/** As the command line reads it. */
function save({ clientId, secret, displayName }: MadeCredential): void {
  const content = `${JSON.stringify({ clientId, clientSecret: secret }, undefined, 2)}\n`;
  saveFile(`${safeFileName(displayName) || 'countersign'}-credential.json`, new Blob([content], { type: 'application/json' }));
}
