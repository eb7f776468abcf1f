/** Starts the console: language, then the page that the address means. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { announce, openRegions } from './app/announce.ts';
import { listenToKeys } from './app/keyboard/keyboard.ts';
import { followParts } from './app/frame/lost-part.tsx';
import { router } from './app/router.tsx';
import { whenDraftsLost } from './data/queue/draft-store.ts';
import { loadAnewOnce } from './data/load-anew.ts';
import { queries } from './data/query.ts';
import { followOtherPages } from './data/session/session.ts';
import { readLanguage } from './data/session/display.ts';
import { toast, Toasts } from './parts/over/toast.tsx';
import { Tooltips } from './parts/over/tooltips.tsx';
import { loadLanguage, text } from './text/text.ts';
import './parts/tokens.css';
import './parts/base.css';

await loadLanguage([...readLanguage(), ...navigator.languages]).catch((error: unknown) => {
  // The words of the first pages did not come: the page says so, unless it is loaded anew.
  loadAnewOnce();
  throw error;
});
openRegions();
followParts();
listenToKeys();
followOtherPages();
whenDraftsLost(() => toast(text('app.draftsLost')));
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts onShow={announce} />
        <Tooltips />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
