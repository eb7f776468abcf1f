/** The events of a bundle: each is in the tree of the log, and none of the review is left out. */
import { eachText } from './each-line.ts';
import type { LoggedEvent, Seal } from './log.ts';
import { readEvent } from './log.ts';
import type { Bundle } from './members.ts';
import type { KnownTree } from './tree.ts';

const file = 'log/events.jsonl';

/** Link of an event to the one of the same review before it. */
interface Link {
  readonly number: number;
  readonly previous: number;
}

/** Result of reading the events. */
export interface EventCounts {
  readonly all: number;
  /** Those of the review, its seal included. */
  readonly ofReview: number;
  readonly erased: number;
}

function linkOf({ leaf }: LoggedEvent): Link & { readonly review: string } {
  const review = leaf.fields('review');
  return { review: review.text('id'), number: review.whole('number'), previous: review.whole('previous') };
}

/** Checks each event, and passes those that hold on in their order. */
export function checkEvents(bundle: Bundle, tree: KnownTree, seal: Seal, onEvent: (event: LoggedEvent) => void): EventCounts {
  const { findings, manifest } = bundle;
  let last = -1;
  let before = { number: 0, position: -1 };
  const counts = { all: 0, ofReview: 0, erased: 0 };
  const follow = (event: LoggedEvent, place: string, line: number | undefined): void => {
    const link = linkOf(event);
    if (link.number !== before.number + 1 || link.previous !== before.position) {
      const missing = link.number - before.number - 1;
      const said =
        missing > 0
          ? `${missing === 1 ? 'the event' : `${missing} events`} of the review before it ${missing === 1 ? 'is' : 'are'} missing`
          : 'it does not follow the event of the review before it';
      findings.add(place, `Event ${link.number} of the review, at position ${event.position}: ${said}.`, {
        line,
        from: [file, 'manifest.json'],
      });
    }
    before = { number: link.number, position: event.position };
    counts.ofReview += 1;
  };
  eachText(bundle, file, (text, line) => {
    const event = readEvent(text.toString());
    if (typeof event === 'string') {
      findings.add(file, event, { line });
      return;
    }
    counts.all += 1;
    counts.erased += event.isErased ? 1 : 0;
    if (event.position <= last) {
      findings.add(file, `The event at position ${event.position} does not stand in the order of the log.`, { line });
    }
    last = event.position;
    const leaf = tree.leaf(event.position - seal.base);
    if (leaf?.equals(event.leafHash) !== true) {
      findings.add(file, `The event at position ${event.position} (${event.kind}) is not the one that the log has there.`, {
        line,
        from: ['log/tree.jsonl'],
      });
      return;
    }
    if (event.leaf.text('tenant') !== manifest.tenant) {
      findings.add(file, `The event at position ${event.position} is one of another tenant.`, { line, from: ['manifest.json'] });
    }
    if (linkOf(event).review === manifest.review) {
      follow(event, file, line);
    }
    onEvent(event);
  });
  if (seal.event !== undefined && !findings.isDamaged('seal/event.json')) {
    follow(seal.event, 'seal/event.json', undefined);
  }
  return counts;
}
