/** What the address of an app's page says, and the way to change it. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AccountKind, Tab } from './tabs.ts';

export interface AppSearch {
  readonly q?: string | undefined;
  /** A day: what was held then. */
  readonly asof?: string | undefined;
  /** The sync that is open. */
  readonly sync?: string | undefined;
  /** Whether ended grants are shown. */
  readonly ended?: boolean | undefined;
  /** The id of an entitlement: who holds it. */
  readonly right?: string | undefined;
  /** Only rights that nobody described. */
  readonly bare?: boolean | undefined;
  /** Accounts of one kind. */
  readonly kind?: AccountKind | undefined;
}

export function useAppAddress() {
  const { app, tab } = useParams({ strict: false }) as { app: string; tab: Tab };
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  return {
    appId: app,
    tab,
    search,
    /** Changes a part of the view, in place. */
    change: (parts: AppSearch) => {
      void navigate({ to: `/apps/${app}/${tab}` as string, search: { ...search, ...parts } as never, replace: true });
    },
  };
}
