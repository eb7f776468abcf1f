/** Target of a sign-in link: a page of the console, which shows a button. Opening the page spends nothing, since programs that scan mails do so. */

/** The address of the page for a link with this token. It stands behind `#`, which browsers send to nobody: no proxy logs it. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/sign-in#link=${token}`;
}
