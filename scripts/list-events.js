// Writes docs/events.md: every kind of event, from the catalogue in src/events. A test holds the page to it.
// `npm run generate` runs it, on the Node that runs our sources as they are.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './steps.js';

/** The page. */
export const eventsPage = join(root, 'docs', 'events.md');

/** Renders the page. */
export async function renderEvents() {
  const { describeMembers, events } = await import('../src/events/index.ts');
  const { en } = await import('../src/events/words-en.ts');
  const rows = Object.entries(events).map(([kind, { target, activity, isFailure, transaction, data }]) => {
    const object = kind.slice(0, kind.lastIndexOf('.'));
    const sentence = en.sentences[kind].replace('{who} ', '').replace('{object}', en.objects[object]);
    const targets = [target].flat().map((one) => `\`${one}\``);
    const marks = [activity, ...(isFailure ? ['failure'] : []), ...(transaction === false ? ['alone'] : [])];
    const members = describeMembers(data);
    return { object, row: `| \`${kind}\` | ${sentence} | ${targets.join(', ')} | ${members && `\`${members}\``} | ${marks.join(', ')} |` };
  });
  const sections = [...Map.groupBy(rows, ({ object }) => object)].sort(([a], [b]) => (a < b ? -1 : 1));
  return `# Events

This page is made from the catalogue in \`src/events\` by \`npm run generate\`; a test compares them. The system log
(\`POST /api/v1/systemlog/events\`) shows each event as an OCSF object of the class "API Activity".

There are ${rows.length} kinds. A kind is never renamed, and its data gains members but loses none. \`?\` marks a member that may be absent.

| column | means |
|---|---|
| Somebody | what the console says, in English |
| Of | the type of the target, whose id the event names |
| Class | OCSF's activity; \`failure\` where something was refused or did not succeed; \`alone\` where it may be written outside a transaction |
${sections
  .map(
    ([object, list]) =>
      `\n## ${object}\n\n| Kind | Somebody | Of | Data | Class |\n|---|---|---|---|---|\n${list.map(({ row }) => row).join('\n')}\n`,
  )
  .join('')}`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(eventsPage, await renderEvents());
}
