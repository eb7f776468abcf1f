/** Events of the log as sentences: who did what to which object. The sentence of each kind is in the catalogue of events. */
import type { LogEvent } from '~/data/log/events.ts';
import { momentKey } from '~/data/names-at.ts';
import { isEventText, isObjectText, text } from '~/text/text.ts';

/** Names of objects by their ids, and of people by their ids and the moments of events. */
export type EventNames = ReadonlyMap<string, string>;

/** A word of what was recorded, where it is there. */
function wordIn(data: unknown, ...names: readonly string[]): string {
  const record = (typeof data === 'object' && data !== null ? data : {}) as Readonly<Record<string, unknown>>;
  const found = names.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
}

/** Returns the name of an event's object; empty where that is not known. */
export function nameObject({ targetId, data, at }: LogEvent, names: EventNames): string {
  return (
    names.get(targetId) ||
    names.get(momentKey(targetId, at)) ||
    wordIn(data, 'displayName', 'monitor', 'subject', 'value', 'name', 'source') ||
    names.get(momentKey(wordIn(data, 'userId'), at)) ||
    ''
  );
}

/** Names who did it. */
export function nameActor({ actorKind, actorId, actorName, at }: LogEvent, names: EventNames): string {
  if (actorKind === 'system') {
    return text('events.countersign');
  }
  return names.get(momentKey(actorId, at)) || actorName || actorId || text('events.nobody');
}

/** An event as a sentence. One of a kind that this console does not know, which a newer server wrote, is said as it is called. */
export function sayEvent(event: LogEvent, names: EventNames): string {
  const who = nameActor(event, names);
  const name = nameObject(event, names);
  const sentence = `said.${event.kind}`;
  const thing = `object.${event.kind.slice(0, event.kind.lastIndexOf('.'))}`;
  if (!isEventText(sentence) || !isObjectText(thing)) {
    return text('events.plain', { who, kind: event.kind, object: name === '' ? '' : `“${name}”` });
  }
  const object = name === '' ? text(thing) : text('events.named', { object: text(thing), name });
  return text(sentence, { who, object });
}
