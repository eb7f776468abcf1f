/** The rules of the console are shown to fail: each with an example of what breaks it, and of what does not. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source stand here as strings
import { describe, expect, it } from 'vitest';
import {
  changesUnread,
  coloursOutsideTokens,
  fetchesPastData,
  literalTexts,
  pastOneWay,
  stylesInCode,
  unusedTexts,
  wrongConsoleImports,
} from './house/console.ts';
import { sizesOutsideTokens } from './house/console-sizes.ts';
import type { SourceFile } from './house/tree.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });
const importing = (path: string, ...specifiers: string[]) =>
  file(path, specifiers.map((name) => `import { x } from '${name}';\n`).join(''));

describe('rules of the console', () => {
  const screen = 'console/src/screens/apps/page.tsx';
  it('name a screen that imports another, and a part that imports data', () => {
    const right = importing(
      screen,
      './tabs.ts',
      '../../data/query.ts',
      '../../app/page.tsx',
      '../../parts/table.tsx',
      '../../text/text.ts',
      'react',
    );
    const part = importing(
      'console/src/parts/table.tsx',
      './icon.tsx',
      '../text/text.ts',
      '@tanstack/react-router',
      '@tanstack/react-table',
      'react',
    );
    expect(wrongConsoleImports([right, part])).toEqual([]);
    const wrong = importing(screen, '../people/page.tsx');
    const wrongPart = importing('console/src/parts/table.tsx', '../data/query.ts', '@tanstack/react-query');
    expect(wrongConsoleImports([wrong, wrongPart])).toEqual([
      `${screen} imports ../people/page.tsx: a screen imports app, parts, data and text, never another screen`,
      "console/src/parts/table.tsx imports ../data/query.ts: parts import only text, the router and TanStack's table",
      "console/src/parts/table.tsx imports @tanstack/react-query: parts import only text, the router and TanStack's table",
    ]);
  });
  it('name a screen that asks the server by itself', () => {
    expect(fetchesPastData([file('console/src/data/x.ts', 'fetch(a);'), file(screen, 'query.refetch();')])).toEqual([]);
    expect(fetchesPastData([file(screen, 'await fetch(a);')])).toEqual([
      `${screen}: only src/client/browser.ts and console/src/data fetch`,
    ]);
  });
  it('name a screen that sends, or takes a date or a number, in a way of its own', () => {
    const act = file('console/src/data/act.ts', "import { useMutation } from '@tanstack/react-query';");
    const field = file('console/src/parts/fields/date-field.tsx', '<input type="date" />;');
    const each = file('console/src/data/queue/reassign.ts', 'actOnEach(all, act);');
    expect(pastOneWay([act, field, each, file(screen, '<DateField kind="time" /> && useSend({}) && useActOnEach(all);')])).toEqual([]);
    expect(pastOneWay([file(screen, 'useMutation({}) && actOnEach(all, act) && <TextField type="date" />;')])).toEqual([
      `${screen}: what is sent goes through useSend or useAct of console/src/data/act.ts`,
      `${screen}: dates are written in console/src/parts/fields/date-field.tsx`,
      `${screen}: what is done to several from a screen goes through useActOnEach of console/src/app/forms/use-act-on-each.ts`,
    ]);
    for (const own of ['<TextField type="number" />;', '<input inputMode="numeric" />;', "<input inputMode={a ? 'decimal' : b} />;"]) {
      expect(pastOneWay([file(screen, own)])).toEqual([`${screen}: numbers are written in console/src/parts/fields/count-field.tsx`]);
    }
  });
  it('name a change that does not say what was read', () => {
    const right = "change('A.Update', a, b); call('A.Get', a); useAct('A.Delete');";
    expect(changesUnread([file(screen, right)], ['A.Update'])).toEqual([]);
    const sentence = (operation: string) =>
      `${screen} sends ${operation} without what was read: changes go through console/src/data/change.ts`;
    expect(changesUnread([file(screen, "call('A.Update', a); useAct(\n'A.Set');")], ['A.Update', 'A.Set'])).toEqual([
      sentence('A.Update'),
      sentence('A.Set'),
    ]);
  });
  it('name words that are not of the catalogue', () => {
    expect(literalTexts([file(screen, '<input placeholder="https://login.example.com" />;')])).toEqual([]);
    const right = "const a = <p title={text('a.b')} className=\"x\">{text('a.b')} · <code>npm test</code>{b ? '?' : null}</p>;";
    expect(literalTexts([file(screen, right)])).toEqual([]);
    const wrong = '<p aria-label="Close">Hello {b ? `Yes ${c}` : d}</p>;';
    const sentence = 'words stand in console/src/text';
    expect(literalTexts([file(screen, wrong)])).toEqual([
      `${screen}:1 says "Hello": ${sentence}`,
      `${screen}:1 says "Yes": ${sentence}`,
      `${screen}:1 says "Close": ${sentence}`,
    ]);
  });
  it('name texts that nothing shows', () => {
    const code = "text('a.one'); <Rich id=\"a.two\" />; text(`a.tab.${tab}`); // text('a.three')";
    expect(unusedTexts([file(screen, code)], ['a.one', 'a.two', 'a.tab.now', 'a.three'])).toEqual(['a.three: no screen shows this text']);
  });
  it('name colours that are no tokens', () => {
    const path = 'console/src/screens/apps/apps.module.css';
    expect(coloursOutsideTokens([file(path, '/* #fff */ a {\n  white-space: pre;\n  color: var(--ink);\n}')])).toEqual([]);
    expect(coloursOutsideTokens([file(path, 'a {\n  color: #fff;\n  border: 1px solid red;\n}')])).toEqual([
      `${path}:2 has #fff: colours stand in console/src/parts/tokens.css`,
      `${path}:3 has red: colours stand in console/src/parts/tokens.css`,
    ]);
  });
  it('name styles in code that are no computed place', () => {
    const right =
      'const style = { height: rowHeight }; const a = <><p style={style} /><p style={{ transform: `translateY(${top}px)` }} /></>;';
    expect(stylesInCode([file(screen, right)])).toEqual([]);
    const sentence = 'style= only for a place that is computed; all else is in a style sheet';
    for (const wrong of ['{ color: tone }', '{ height: 12 }', 'looks']) {
      expect(stylesInCode([file(screen, `const a = <p style={${wrong}} />;`)])).toEqual([`${screen}:1: ${sentence}`]);
    }
  });
  it('name sizes that are no tokens', () => {
    const path = 'console/src/screens/apps/apps.module.css';
    const sentence = 'sizes stand in console/src/parts/tokens.css';
    const right = `/* 12px */ a {
      padding: 0 var(--s-2);
      border: 1px solid var(--line);
      outline: 2px solid var(--line);
      grid-template-columns: 12rem minmax(min(14rem, 100%), 1fr);
      max-width: 30rem;
      --column-aside: 22rem;
      height: 100%;
    }
    @media (width < 700px) {
      a { gap: var(--s-1); }
    }`;
    expect(sizesOutsideTokens([file(path, right)])).toEqual([]);
    const wrong = [
      'font-size: 13px',
      'font: 600 0.75rem/1rem Inter',
      'padding: 2px 0',
      'gap: 0.5rem',
      'border-radius: 6px',
      'min-height: 2.75rem',
      'max-width: 300px',
      'border: 3px solid',
      'top: -0.25em',
      '--own: 4px',
    ];
    for (const one of wrong) {
      const property = one.split(':')[0] ?? '';
      const found = sizesOutsideTokens([file(path, `a {\n  ${one};\n}`)]);
      expect(found[0], one).toMatch(`${path}:2 has ${property}: `);
      expect(found[0]).toMatch(sentence);
    }
    expect(sizesOutsideTokens([file(path, 'a {\n  padding: 2px 0\n}')])).toEqual([`${path}:2 has padding: 2px: ${sentence}`]);
    // A part may be a drawing of its own, with lengths of its own; its space and type are those of all.
    const part = 'console/src/parts/mark.module.css';
    expect(sizesOutsideTokens([file(part, 'a { width: 0.3rem; height: 0.5rem; translate: 0.75rem; }')])).toEqual([]);
    expect(sizesOutsideTokens([file(part, 'a { margin: 0.3rem; }')])).toHaveLength(1);
    expect(sizesOutsideTokens([file(path, 'a { height: 0.5rem; }')])).toHaveLength(1);
    expect(sizesOutsideTokens([file('console/src/parts/tokens.css', ':root { --s-1: 0.25rem; }')])).toEqual([]);
  });
});
