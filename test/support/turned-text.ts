/** Finds names that turn the words beside them around: a mark of direction in a name reaches to the end of whatever the name stands in. */
import type { Page } from 'playwright-core';

/**
 * The texts in which a name between ‹ and › that changes the direction stands beside other words, without anything that keeps it to itself: neither an
 * element of its own (`bdi`, or one that is no part of a line) nor the marks U+2068 and U+2069 around it.
 */
export function findTurned(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const isApart = (element) => {
      const { display, unicodeBidi } = getComputedStyle(element);
      return display !== 'inline' || unicodeBidi.includes('isolate') || unicodeBidi === 'plaintext';
    };
    /** The text of an element's own line, without what is kept apart. */
    const lineOf = (element) => [...element.childNodes].map((node) =>
      node.nodeType === 3 ? node.data : node.nodeType !== 1 || isApart(node) ? ' ' : lineOf(node)).join('');
    const found = new Set();
    const walker = document.createTreeWalker(document.body, 4);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (data.includes('\\u202E') && parentElement.closest('script, style, option, textarea') === null) {
        let around = parentElement;
        while (!isApart(around)) {
          around = around.parentElement;
        }
        const line = lineOf(around).replace(/\\u2068[^\\u2069]*\\u2069/g, ' ');
        const beside = line.replace(/‹[^›]*›?/g, ' ');
        if (line.includes('\\u202E') && (/[\\p{L}\\p{N}]/u.test(beside))) {
          found.add(around.tagName + '.' + around.className + ': ' + line.replace(/Ｗ+/g, 'Ｗ…').slice(0, 200));
        }
      }
    }
    return [...found];
  })()`);
}
