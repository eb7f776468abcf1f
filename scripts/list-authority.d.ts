/** An operation of the contract with what it says of who may. */
export interface ListedAuthority {
  readonly name: string;
  readonly title: string;
  readonly request: string;
  readonly permission: string;
  readonly act: string;
  readonly object: string;
  readonly needsFreshSignIn: boolean;
}

/** The page. */
export const authorityPage: string;

/** The operations of the contract with what each says of who may. */
export function listAuthorities(): Promise<ListedAuthority[]>;
