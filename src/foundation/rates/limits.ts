/** The limits that are counted over all processes. */

/** At most so many by each subject, in so many seconds from the first one counted. */
export interface Rate {
  /** Names the limit; the same name is the same counter everywhere. */
  readonly kind: string;
  readonly most: number;
  readonly seconds: number;
}

/** Every limit. A place is an IPv4 address or the first 64 bits of an IPv6 address (`placeOf`). */
export const rates = {
  /** Links by mail for one address that one place asks for: nobody elsewhere can lock the person out. */
  linkByAddress: { kind: 'link by address and place', most: 3, seconds: 600 },
  /** The same from all places together, so that no mailbox is filled. */
  linkByAddressOfAll: { kind: 'link by address', most: 30, seconds: 600 },
  /** Links for one address that one browser asks for; one that asked before is answered, whatever others did. */
  linkByBrowser: { kind: 'link by browser', most: 30, seconds: 600 },
  /** Links that are mailed to one person in a day: for places where they signed in, each by itself, and for all others together. */
  mailedLinkOfDay: { kind: 'mailed link of a day', most: 50, seconds: 86_400 },
  /** Events about links beyond that, by the same. */
  mailedLinkEventOfDay: { kind: 'mailed link event of a day', most: 1, seconds: 86_400 },
  linkByPlace: { kind: 'link by place', most: 60, seconds: 600 },
  /** Sign-ins by providers that begin from one place: an office may share one. */
  signInByPlace: { kind: 'sign-in by place', most: 120, seconds: 60 },
  /** Sign-ins from a terminal that begin from one place, and in one tenant. */
  deviceByPlace: { kind: 'device by place', most: 30, seconds: 600 },
  deviceByTenant: { kind: 'device by tenant', most: 1_000, seconds: 600 },
  /** Codes that one person looks up: nobody finds that of somebody else by trying. */
  deviceCodeByPerson: { kind: 'device code by person', most: 20, seconds: 600 },
  /** Failures with one client id from one place. */
  failureByClient: { kind: 'failure by client', most: 100, seconds: 300 },
  /** Failures from one place, whatever was tried: tokens, SCIM tokens, cookies. */
  failureByPlace: { kind: 'failure by place', most: 600, seconds: 300 },
  /** Events about failures of one tenant. */
  failureEvents: { kind: 'failure events', most: 20, seconds: 5 },
  failureEventsOfDay: { kind: 'failure events of a day', most: 2_000, seconds: 86_400 },
  /** Summaries of a tenant, once the others are used up. */
  failureSummary: { kind: 'failure summary', most: 1, seconds: 60 },
  /** The same of sign-ins, which no flood of other failures hides. */
  failedSignInSummary: { kind: 'failed sign-in summary', most: 1, seconds: 60 },
} as const satisfies Readonly<Record<string, Rate>>;
