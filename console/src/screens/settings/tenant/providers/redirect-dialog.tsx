/** Step left after a provider was added: registering the address to which it sends people back. */
import { Button } from '~/parts/controls/button.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { redirectAddress } from './provider.ts';

export function RedirectDialog({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) {
          onDone();
        }
      }}
      title={text('providers.madeTitle', { name })}
      footer={
        <Button variant="primary" onClick={onDone}>
          {text('providers.done')}
        </Button>
      }
    >
      <div className={styles.form}>
        <p>{text('providers.madeWords', { name })}</p>
        <Copy shown label={text('providers.redirect')} value={redirectAddress(id)} />
      </div>
    </Dialog>
  );
}
