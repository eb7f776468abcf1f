/** docs/expressions.md is right: its examples compile where they say, and its tables have every field, enum and function. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functions, methods, timeFormats } from './calls.ts';
import { compileExpression } from './compile.ts';
import { directoryFunctions, type Environment, environmentNames } from './environments.ts';
import { enums, objectFields } from './objects.ts';

const text = readFileSync(new URL('../../../docs/expressions.md', import.meta.url), 'utf8');
const examples = [...text.matchAll(/```cel (\w+)\n([^`]*)```/g)].map(
  ([, environment = '', example = '']) => [environment, example] as const,
);

describe('docs/expressions.md', () => {
  it.each(examples)('%s: %s', (environment, example) => {
    expect(compileExpression(example, environment as Environment)).toHaveProperty('expression');
  });

  it('has an example of every environment', () => {
    expect(new Set(examples.map(([environment]) => environment))).toEqual(new Set(environmentNames));
  });

  it('has every field, enum and function', () => {
    const rowOf = (name: string): string => text.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
    for (const object of ['User', 'AppUser', 'AppEntitlement', 'Task'] as const) {
      const row = rowOf(object);
      expect(Object.keys(objectFields[object]).filter((field) => !new RegExp(`\\b${field}\\b`).test(row))).toEqual([]);
    }
    for (const [name, { values }] of Object.entries(enums)) {
      expect([name, text.includes(`${values.join(', ')} |`)]).toEqual([name, true]);
    }
    const names = [...Object.keys(functions), ...Object.keys(methods), ...Object.keys(directoryFunctions), ...Object.keys(timeFormats)];
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });
});
