/** Pages that are loaded when they are opened. */
import { lazyRouteComponent } from '@tanstack/react-router';

/** The component of a route, by its name in a file. A file that is lost once is asked for again; what is done for one that does not come says fault.tsx. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load()
        .catch(load)
        .catch((error: Error) => {
          // The router would load the page anew by itself, also while the server is away.
          throw new Error(`A file did not come: ${error.message}`);
        }),
    name,
  );
