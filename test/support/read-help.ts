/** The help of every command, as the command line prints it. */
import { expect } from 'vitest';
import { runInProcess } from './command-line.ts';

/** A command or group, by its words, and its help. */
export interface Help {
  readonly command: string;
  readonly text: string;
}

async function readHelp(path: readonly string[]): Promise<Help> {
  const { code, stdout, stderr } = await runInProcess([...path, '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return { command: path.join(' '), text: stdout };
}

/** The help of a command and of all below it; of the program unless one is named. */
export async function readAllHelp(path: readonly string[] = []): Promise<Help[]> {
  const own = await readHelp(path);
  const list = /^Commands:\n((?: {2}.*\n)+)/m.exec(own.text)?.[1] ?? '';
  const names = [...list.matchAll(/^ {2}([a-z0-9-]+)/gm)].flatMap(([, name = '']) => (name === 'help' ? [] : [name]));
  const below = await Promise.all(names.map((name) => readAllHelp([...path, name])));
  return [own, ...below.flat()];
}
