/** The help of the command line: every command has it, says what each of its arguments and options is, and offers --json where it answers. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Help, readAllHelp } from '../support/read-help.ts';

const root = join(import.meta.dirname, '../..');

/** Commands that run until they are stopped answer nothing. */
const withoutAnswer = ['serve', 'demo'];

/** Reads a command's sentence from its help; long sentences are broken into lines there. */
function sentenceOf(help: string): string {
  return (help.split('\n\n')[1] ?? '').replaceAll('\n', ' ');
}

describe('help', async () => {
  const all = await readAllHelp();
  const isGroup = ({ text }: Help): boolean => text.includes('\nCommands:\n');
  const leaves = all.filter((one) => !isGroup(one));

  it('is there for every command', () => {
    expect(all.filter(isGroup).map(({ command }) => command)).toEqual(
      expect.arrayContaining(['', 'account', 'identity', 'source', 'sync']),
    );
    expect(leaves.length).toBeGreaterThan(35);
  });

  it('is what docs/commands.md says, command by command', () => {
    const document = readFileSync(join(root, 'docs/commands.md'), 'utf8');
    const described = [...document.matchAll(/^\| `([a-z0-9 -]+)(?: [<[][^`]*)?` \| (.*) \|$/gm)].map(([, command, text]) => [
      command,
      text,
    ]);
    expect(described).toEqual(leaves.map(({ command, text }) => [command, sentenceOf(text)]));
  });

  it('has every command and option that a document shows', () => {
    const helpOf = new Map(all.map(({ command, text }) => [command, text]));
    const documents = globSync(['*.md', 'docs/*.md', 'docs/verify/*.md'], { cwd: root, exclude: ['CHANGELOG.md'] });
    const shown = documents.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8').replaceAll(/\\\n\s*/g, ' ');
      return [...text.matchAll(/\bcountersign ((?:[a-z][a-z0-9-]* ?)+)([^`\n|;&)$]*)/g)].flatMap(([said, words = '', rest = '']) => {
        const path = words.trim().split(' ');
        // What prose says of the program begins with no command.
        return helpOf.has(path[0] ?? '')
          ? [{ said: said.trim(), path, options: (words + rest).match(/(?<![\w-])--[a-z][a-z0-9-]*/g) ?? [] }]
          : [];
      });
    });
    expect(shown.length).toBeGreaterThan(200);
    const wrong = shown.filter(({ path, options }) => {
      const length = path.findLastIndex((_, index) => helpOf.has(path.slice(0, index + 1).join(' '))) + 1;
      const text = helpOf.get(path.slice(0, length).join(' ')) ?? '';
      const isUnknown = length < path.length && text.includes('\nCommands:\n');
      return isUnknown || options.some((option) => option !== '--help' && !new RegExp(`${option}\\b(?!-)`).test(text));
    });
    expect(wrong.map(({ said }) => said)).toEqual([]);
  });

  it.each(leaves.map((one) => [one.command, one.text]))('countersign %s', (command, text) => {
    expect(text).toMatch(new RegExp(`^Usage: countersign ${command}\\b`));
    // One sentence, begun small and without a full stop, as all the others.
    expect(text.split('\n')[2]).toMatch(/^[a-z].*[^.]$/);
    expect(text).not.toMatch(/^ {2}(?:-\S+(?:, --\S+)?|<\S+>|\[\S+\])\s*$/m);
    expect(text.includes('--json')).toBe(!withoutAnswer.includes(command));
  });
});
