/** The public interface of the part deletion: deleting an app or an entitlement with all that it grants. */
export { deleteApp, endAccessJob, endAccessKind } from './delete-app.ts';
export { deleteServices } from './service-delete.ts';
