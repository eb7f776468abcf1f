/** Every kind of event is said in a sentence, in each language. */
import { describe, expect, it, vi } from 'vitest';
import { events } from '../../../../src/events/index.ts';
import { eventWords } from '../../../../src/events/words.ts';
import type { LogEvent } from '~/data/log/events.ts';
import { languages, loadLanguage } from '~/text/text.ts';
import { sayEvent } from './event-words.ts';

const kinds = Object.keys(events);
const eventOf = (kind: string, data: object = {}) =>
  ({ kind, actorKind: 'system', actorId: '', targetId: 'x', data }) as unknown as LogEvent;
const speak = async (language: string): Promise<void> => {
  vi.stubGlobal('document', { documentElement: {} });
  await loadLanguage([language]);
};

describe('the sentence of an event', () => {
  it('is there in each language of the console', () => {
    expect(Object.keys(eventWords).sort()).toEqual(Object.keys(languages).sort());
    expect(kinds.length).toBeGreaterThan(200);
  });

  it.each(Object.keys(languages))('names neither the kind nor an id, in %s', async (language) => {
    await speak(language);
    for (const kind of kinds) {
      const sentence = sayEvent(eventOf(kind), new Map());
      expect(sentence.startsWith('Countersign '), sentence).toBe(true);
      expect(sentence, kind).not.toMatch(/[a-z]_[a-z]|[a-z]\.[a-z]|[{}]/);
      expect(sentence.length, kind).toBeGreaterThan(20);
    }
  });

  it('names the object, and is its kind where a newer server wrote it', async () => {
    await speak('en');
    const named = { displayName: 'Wiki' };
    expect(sayEvent(eventOf('app.created', named), new Map())).toBe('Countersign created the app “Wiki”');
    expect(sayEvent(eventOf('lamp.lit', named), new Map())).toBe('Countersign: lamp.lit “Wiki”');
    await speak('de');
    expect(sayEvent(eventOf('app.created', named), new Map())).toBe('Countersign hat die App „Wiki“ angelegt');
  });
});
