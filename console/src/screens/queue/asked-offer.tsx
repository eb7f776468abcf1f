/** Says that more is asked than the list shows, and offers to show it: nothing comes into a list by itself while somebody works on it. */
import { useState } from 'react';
import { Banner } from '../../parts/banner.tsx';
import { Button } from '../../parts/button.tsx';
import { text } from '../../text/text.ts';
import type { QueueView } from './address.ts';
import type { QueueModel } from './model.ts';

interface AskedOfferProps {
  readonly model: QueueModel;
  readonly view: QueueView;
  readonly onView: (view: QueueView) => void;
  readonly onDone: () => void;
}

export function AskedOffer({ model, view, onView, onDone }: AskedOfferProps) {
  const [isBusy, setBusy] = useState(false);
  const count = model.asked.size;
  if (count === 0) {
    return null;
  }
  const show = async () => {
    setBusy(true);
    const isInSight = await model.readAnew();
    setBusy(false);
    if (!isInSight) {
      onView({ ...view, group: '', show: 'todo', q: '' });
    }
    onDone();
  };
  return (
    <Banner
      kind="info"
      action={
        <Button busy={isBusy} onClick={() => void show()}>
          {text('queue.showAsked', { count })}
        </Button>
      }
    >
      {text('queue.moreAsked', { count })}
    </Banner>
  );
}
