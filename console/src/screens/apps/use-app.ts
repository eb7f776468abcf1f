/** Reads and changes the address of an app's page. */
import { useNavigate } from '@tanstack/react-router';
import { changeSearch } from '~/app/search.ts';
import { type AppSearch, appRoute } from './route.tsx';

export function useAppAddress() {
  const { app, tab } = appRoute.useParams();
  const search = appRoute.useSearch();
  const navigate = useNavigate();
  return {
    appId: app,
    tab,
    search,
    /** Changes a part of the view, in place. */
    change: (parts: AppSearch) => {
      void navigate({ to: '/apps/$app/$tab', params: { app, tab }, search: changeSearch(parts), replace: true });
    },
  };
}
