/** Starts the console: language, then the page that the address means. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { announce, openRegions } from './app/announce.ts';
import { listenToKeys } from './app/keyboard.ts';
import { router } from './app/router.tsx';
import { queries } from './data/query.ts';
import { followOtherPages } from './data/session.ts';
import { readLanguage } from './data/display.ts';
import { Toasts } from './parts/toast.tsx';
import { Tooltips } from './parts/tooltips.tsx';
import { loadLanguage, loadLaterTexts } from './text/text.ts';
import './parts/tokens.css';
import './parts/base.css';

await loadLanguage([...readLanguage(), ...navigator.languages]);
openRegions();
listenToKeys();
followOtherPages();
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
// Beside the first page, so that the next one need not wait. Where that fails, the page that needs them asks again.
loadLaterTexts().catch(() => undefined);
