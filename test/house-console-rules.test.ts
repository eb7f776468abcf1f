/** The rules of the console are shown to fail: each with an example of what breaks it, and of what does not. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source stand here as strings
import { describe, expect, it } from 'vitest';
import { coloursOutsideTokens, fetchesPastData, literalTexts, stylesInCode, unusedTexts, wrongConsoleImports } from './house/console.ts';
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
    const part = importing('console/src/parts/table.tsx', './icon.tsx', '../text/text.ts', '@tanstack/react-router', 'react');
    expect(wrongConsoleImports([right, part])).toEqual([]);
    const wrong = importing(screen, '../people/page.tsx');
    const wrongPart = importing('console/src/parts/table.tsx', '../data/query.ts', '@tanstack/react-query');
    expect(wrongConsoleImports([wrong, wrongPart])).toEqual([
      `${screen} imports ../people/page.tsx: a screen imports app, parts, data and text, never another screen`,
      'console/src/parts/table.tsx imports ../data/query.ts: parts import only text and the router',
      'console/src/parts/table.tsx imports @tanstack/react-query: parts import only text and the router',
    ]);
  });
  it('name a screen that asks the server by itself', () => {
    expect(fetchesPastData([file('console/src/data/x.ts', 'fetch(a);'), file(screen, 'query.refetch();')])).toEqual([]);
    expect(fetchesPastData([file(screen, 'await fetch(a);')])).toEqual([
      `${screen}: only src/client/browser.ts and console/src/data fetch`,
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
});
